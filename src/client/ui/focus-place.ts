// Keeps track of the focus, so that it goes somewhere sensible when its element leaves the page.

/** The focused element, its ancestors from inside out, and the place before the overlay around it. */
type FocusPlace = {
  element: HTMLElement
  around: readonly HTMLElement[]
  overlay: Element | null
  from: FocusPlace | null
}

const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"]'
const controls = 'a[href], button, input, select, textarea, [tabindex="0"]'
const rows = 'tr, li'
const parts = 'section, main, [role="dialog"]'
const headings = 'h1, h2, h3'
/** Marks the field where work goes on when the used control is gone. */
const nextField = '[data-next-field]'
/** Lines of scans, of which the keys of the next scan must press nothing. */
const scanned = '[data-scanned]'
/** Components give the focus back a little after they close, and come first. */
const settleMs = 50

let place: FocusPlace | null = null
let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined

export const currentPlace = (): FocusPlace | null => place

/** After an act at the counter, whose place another button may take: the next keys are a scan's, and press nothing. */
export function backToScanning(): void {
  const field = document.querySelector<HTMLElement>(nextField)
  if (field) return field.focus({ preventScroll: true })
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  place = null
  isLost = false
}

/** Goes back once dialog `id` has closed, unless the focus has moved on. */
export function goBackTo(before: FocusPlace | null, id: string): void {
  queueMicrotask(() => {
    const active = document.activeElement
    const isGoneOn = isHeld(active) && !document.getElementById(id)?.contains(active)
    if (isGoneOn) return
    place = before
    if (before === null) focus(mainHeading())
    else {
      isLost = true
      settle()
    }
  })
}

function placeOf(element: HTMLElement): FocusPlace {
  const overlay = element.closest(overlays)
  const around: HTMLElement[] = []
  for (let one = element.parentElement; one !== null; one = one.parentElement) {
    around.push(one)
    if (one === overlay) break
  }
  return { element, around, overlay, from: overlay === null ? null : leftFor(overlay) }
}

/** The place that was left when the focus first entered an overlay. */
function leftFor(overlay: Element): FocusPlace | null {
  for (let one = place; one !== null; one = one.from) {
    if (one.overlay === overlay) return one.from
  }
  return place
}

const isFit = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.closest('[hidden]') === null

const isHeld = (active: Element | null): active is Element =>
  active !== null && active !== document.body && isFit(active)

function settle(): void {
  clearTimeout(timer)
  timer = undefined
  if (!isLost || typeof document === 'undefined' || isHeld(document.activeElement)) return
  for (let one = place; one !== null; one = one.from) {
    if (one.element.isConnected) {
      // A control disabled only meanwhile gets the focus later.
      if (isFit(one.element)) focus(one.element)
      return
    }
    const near = nearest(one.around)
    if (near) {
      focus(near)
      return
    }
  }
  focus(mainHeading())
}

/** A control of the same row, else the part's next field, the row or the heading. */
function nearest(around: readonly HTMLElement[]): HTMLElement | null {
  let row: HTMLElement | null = null
  for (const one of around) {
    if (!one.isConnected) continue
    if (one.matches(rows) && row === null) {
      const control = one.closest(scanned)
        ? undefined
        : [...one.querySelectorAll<HTMLElement>(controls)].find(isFit)
      if (control) return control
      row = one
    }
    if (!one.matches(parts)) continue
    const heading = one.querySelector<HTMLElement>(headings)
    const next = one.querySelector<HTMLElement>(nextField) ?? (heading && (row ?? heading))
    if (next) return next
  }
  return row
}

const mainHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1')

function focus(element: HTMLElement | null): void {
  if (!element) return
  if (!element.matches(controls) && !element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

addEventListener(
  'focusin',
  ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return
    place = placeOf(target)
    isLost = false
  },
  { capture: true },
)

// Some browsers give no focus to a pressed button.
addEventListener(
  'pointerdown',
  ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(controls) : null
    if (pressed === null) return
    place = placeOf(pressed)
    isLost = false
  },
  { capture: true },
)

new MutationObserver(() => {
  if (place === null || (!isLost && isFit(place.element))) return
  isLost = true
  timer ??= setTimeout(settle, settleMs)
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
