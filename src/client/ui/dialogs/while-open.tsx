import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'

import { isTextField } from '../../page/text-field.ts'
import { withhold } from '../../page/withheld-keys.ts'
import { type ScanHandler, useScans } from '../../scanner/scan-source.tsx'
import { currentPlace, goBackTo } from '../focus-place.ts'

type OpenDialog = {
  close: () => void
  isGuarded: boolean
}

/** The time in sight before a key may press a button. */
const guardMs = 400

const open: { dialog: OpenDialog; shownAt: number }[] = []

/** Puts a dialog above the page and earlier dialogs, whose keys it takes; returns how it leaves. */
function noteOpen(dialog: OpenDialog): () => void {
  if (open.length === 0) document.addEventListener('keydown', onKeyDown, { capture: true })
  const one = { dialog, shownAt: Number.POSITIVE_INFINITY }
  open.push(one)
  // The time starts when it is drawn, however slow the device.
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
    // A list or calendar open inside closes first.
    const isForAnother =
      event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]')
    if (!isForAnother) top.dialog.close()
    return
  }
  const isEarly = top.dialog.isGuarded && event.timeStamp - top.shownAt < guardMs
  if (presses(event) && (isEarly || event.repeat)) withhold(event)
}

/** Enter and Space press buttons, but are text in a text of several lines. */
function presses({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement) return false
  return key === 'Enter' || (key === ' ' && !isTextField(target))
}

type WhileOpenProps = {
  id: string
  isGuarded: boolean
  onClose: () => void
  onScan: ScanHandler
}

/** While a dialog is open it takes scans and Escape, and the focus goes back after it. */
export function WhileOpen({ id, isGuarded, onClose, onScan }: WhileOpenProps): null {
  const [opener] = useState(currentPlace)
  const close = useCallbackRef(onClose)
  useScans(onScan)
  useLayoutEffect(() => noteOpen({ close, isGuarded }), [close, isGuarded])
  useEffect(() => () => goBackTo(opener, id), [opener, id])
  return null
}
