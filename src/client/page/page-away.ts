import { emitter } from '../../domain/emitter.ts'

// The page leaves the document, so that nothing of it can be seen, read aloud or found; its nodes live on.

export const awayPlace = document.createElement('div')
// A dialog may have stopped the document's own scrolling.
Object.assign(awayPlace.style, { position: 'fixed', inset: '0', overflow: 'auto' })
for (const name of ['pointerdown', 'mousedown', 'touchstart', 'click']) {
  // The page would take a press here for one outside of its menus, and close them.
  awayPlace.addEventListener(name, (event) => event.stopPropagation())
}

const shelf = document.createElement('div')
const { tell, watch } = emitter()

type Away = {
  title: string
  pageTitle: string
  focused: Element | null
  scroll: [number, number]
  stop: () => void
}
let away: Away | null = null

export const isPageAway = (): boolean => away !== null

export const watchPageAway = watch

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
  tell()
}

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
  tell()
}

export function nameAway(title: string): void {
  if (!away) return
  away.title = title
  document.title = title
}

/** The component library keeps its colours and measures inside the page. */
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

/** A title set meanwhile is the page's own. */
function keepTitle(): void {
  if (!away || document.title === away.title) return
  away.pageTitle = document.title
  document.title = away.title
}
