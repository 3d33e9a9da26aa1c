// Something may take the place of the whole page: then nothing of it is in the document, so it is neither seen, nor read aloud, nor found
// behind a blur. Its nodes are kept as they are, and what they hold goes on living.

/** Where whatever takes the place of the page is drawn; in the document only while it does. */
export const awayPlace = document.createElement('div')
// A dialog of the page may have stopped the document's own scrolling.
Object.assign(awayPlace.style, { position: 'fixed', inset: '0', overflow: 'auto' })
for (const name of ['pointerdown', 'mousedown', 'touchstart', 'click']) {
  // For the page, a press there would be one outside of its menus, which then close.
  awayPlace.addEventListener(name, (event) => event.stopPropagation())
}

const shelf = document.createElement('div')
const listeners = new Set<() => void>()

type Away = {
  title: string
  pageTitle: string
  focused: Element | null
  scroll: [number, number]
  stop: () => void
}
let away: Away | null = null

export const isPageAway = (): boolean => away !== null

/** Calls back when the page goes and when it comes back. Returns how to stop. */
export function watchPageAway(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Takes the page out of the document, and whatever it adds to it later (dialogs, messages). */
export function putPageAway(): void {
  if (away) return
  const focused = document.activeElement
  const added = new MutationObserver(shelve)
  const titled = new MutationObserver(keepTitle)
  const styles = sharedStyles()
  const stop = () => {
    added.disconnect()
    titled.disconnect()
    styles.forEach((style) => document.head.removeChild(style))
  }
  away = { title: 'Comptoir', pageTitle: document.title, focused, scroll: [scrollX, scrollY], stop }
  document.head.append(...styles)
  document.body.append(awayPlace)
  shelve()
  document.title = away.title
  added.observe(document.body, { childList: true })
  titled.observe(document.head, { childList: true, subtree: true, characterData: true })
  listeners.forEach((listener) => listener())
}

/** Puts the page back as it was, the focus where it was. */
export function bringPageBack(): void {
  if (!away) return
  const { pageTitle, focused, scroll, stop } = away
  stop()
  away = null
  awayPlace.remove()
  document.body.prepend(...shelf.childNodes)
  document.title = pageTitle
  scrollTo(...scroll)
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  listeners.forEach((listener) => listener())
}

/** The title of what is shown meanwhile. */
export function nameAway(title: string): void {
  if (!away) return
  away.title = title
  document.title = title
}

/** Colours and measures that the component library keeps inside the page: what takes its place needs them too. */
const sharedStyles = (): Node[] =>
  [
    ...document.body.querySelectorAll<HTMLStyleElement>(
      'style[data-mantine-styles]:not([data-mantine-styles="inline"])',
    ),
  ].map((style) => {
    const copy = style.cloneNode(true) as HTMLStyleElement
    copy.nonce = style.nonce
    return copy
  })

function shelve(): void {
  const isKept = (node: Element) =>
    node === awayPlace || node.tagName === 'SCRIPT' || node.tagName === 'NOSCRIPT'
  shelf.append(...[...document.body.children].filter((node) => !isKept(node)))
}

/** A title names what the page shows: it is kept for when the page is back. */
function keepTitle(): void {
  if (!away || document.title === away.title) return
  away.pageTitle = document.title
  document.title = away.title
}
