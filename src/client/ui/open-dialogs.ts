import { isTextField } from '../page/text-field.ts'
import { withhold } from '../page/withheld-keys.ts'

export type OpenDialog = {
  close: () => void
  /** Keys that press buttons wait until it has been in sight for a while. */
  isGuarded: boolean
}

/** How long a dialog must have been in sight before a key may press its buttons. */
const guardMs = 400

const open: { dialog: OpenDialog; shownAt: number }[] = []

/** A dialog stands above the page, and above those before it: keys are its own. Returns how it leaves. */
export function noteOpen(dialog: OpenDialog): () => void {
  if (open.length === 0) document.addEventListener('keydown', onKeyDown, { capture: true })
  const one = { dialog, shownAt: Number.POSITIVE_INFINITY }
  open.push(one)
  // When it is drawn, however long the device takes.
  const frame = requestAnimationFrame(() => {
    one.shownAt = performance.now()
  })
  return () => {
    cancelAnimationFrame(frame)
    open.splice(open.indexOf(one), 1)
    if (open.length === 0) document.removeEventListener('keydown', onKeyDown, { capture: true })
  }
}

function onKeyDown(event: KeyboardEvent): void {
  const top = open.at(-1)
  if (!top || event.isComposing) return
  if (event.key === 'Escape') {
    // A list of choices or a calendar that is open in it closes first.
    const isForAnother =
      event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]')
    if (!isForAnother) top.dialog.close()
    return
  }
  const isEarly = top.dialog.isGuarded && event.timeStamp - top.shownAt < guardMs
  if (presses(event) && (isEarly || event.repeat)) withhold(event)
}

/** Enter presses a button or sends a form, Space presses a button; in a text of several lines both are text. */
function presses({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement) return false
  return key === 'Enter' || (key === ' ' && !isTextField(target))
}
