import { isFormField } from '../../page/text-field.ts'
import { aloneMs } from '../lone-keys.ts'

/** How many rows Page up and Page down pass. */
const rowsOfPage = 10

/** Fields, and what a row asks (`role="group"`), keep their own keys and their places under Tab. */
const isOfItself = (one: Element): boolean => isFormField(one) || one.closest('td [role="group"]') !== null

const controlsIn = (part: Element): HTMLElement[] =>
  Array.from(part.querySelectorAll<HTMLElement>('a[href], button, input')).filter(
    (one) => !one.matches(':disabled') && !isOfItself(one),
  )

/** What a row is reached by: what opens it, else what acts on it, else its box. */
function mainOf(row: Element | null | undefined): HTMLElement | undefined {
  const controls = row ? controlsIn(row) : []
  return (
    controls.find((one) => one.closest('[data-role="main"]')) ??
    controls.find((one) => !one.matches('input')) ??
    controls[0]
  )
}

const placeOf = (one: Element | null): number =>
  one?.parentElement ? Array.from(one.parentElement.children).indexOf(one) : -1
const cellOf = (one: Element): number => placeOf(one.closest('td, th'))

/** In another row, what stands where `from` does in its own. */
function counterpart(from: Element, row: Element): HTMLElement | undefined {
  if (from === mainOf(from.closest('tr'))) return mainOf(row)
  const same = controlsIn(row).filter((one) => cellOf(one) === cellOf(from))
  return same.find((one) => placeOf(one) === placeOf(from)) ?? same.at(-1) ?? mainOf(row)
}

/**
 * Makes a table one stop of the Tab key: arrows go up and down its rows and from one control of a row to the next, Space ticks.
 * To whoever hears the page it stays a table of links and buttons.
 */
export function oneTabStop(table: HTMLTableElement): () => void {
  let last: HTMLElement | undefined
  let signAt = -Infinity

  const keep = () => {
    const all = controlsIn(table)
    const active = all.find((one) => one === document.activeElement)
    const first = all.find((one) => one.closest('tbody')) ?? all[0]
    last = active ?? last
    const stop =
      active ??
      mainOf(table.querySelector('tr[aria-current]')) ??
      all.find((one) => one === last) ??
      mainOf(first?.closest('tr'))
    for (const one of all) {
      const index = one === stop ? '0' : '-1'
      if (one.getAttribute('tabindex') !== index) one.setAttribute('tabindex', index)
    }
  }

  const goal = (from: HTMLElement, key: string): HTMLElement | undefined => {
    const row = from.closest('tr')
    if (!row) return undefined
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const own = controlsIn(row).filter((one) => one.checkVisibility?.() ?? true)
      return own[own.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)]
    }
    const rows = Array.from(table.querySelectorAll('tr')).filter((one) => one === row || mainOf(one))
    const at = rows.indexOf(row)
    const begin = rows.findIndex((one) => one.closest('tbody'))
    const end = rows.length - 1
    const places: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(at + rowsOfPage, end),
      PageUp: Math.max(at - rowsOfPage, begin),
      Home: begin,
      End: end,
    }
    const to = rows[places[key] ?? -1]
    return to && counterpart(from, to)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, timeStamp, shiftKey } = event
    // A scanner types spaces too, and soon after another sign.
    const isLone = timeStamp - signAt > aloneMs
    if (key?.length === 1) signAt = timeStamp
    if (!(target instanceof HTMLElement) || isOfItself(target)) return
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (key === ' ') {
      const box = target.matches('a') && target.closest('tr')?.querySelector('[data-role="select"] input')
      if (!box) return
      event.preventDefault()
      if (isLone) box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
      return
    }
    const to = shiftKey ? undefined : goal(target, key)
    if (!to || to === target) return
    event.preventDefault()
    to.focus({ preventScroll: true })
    to.closest('tr')?.scrollIntoView?.({ block: 'nearest' })
  }

  keep()
  const watch = new MutationObserver(keep)
  watch.observe(table, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-current', 'disabled'],
  })
  table.addEventListener('focusin', keep)
  table.addEventListener('keydown', onKeyDown)
  return () => {
    watch.disconnect()
    table.removeEventListener('focusin', keep)
    table.removeEventListener('keydown', onKeyDown)
  }
}
