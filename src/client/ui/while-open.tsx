import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'

import { type ScanHandler, useScans } from '../scanner/scan-source.tsx'
import { currentPlace, goBackTo } from './focus-place.ts'
import { noteOpen } from './open-dialogs.ts'

type WhileOpenProps = {
  /** The dialog's own, in the page. */
  id: string
  isGuarded: boolean
  onClose: () => void
  onScan: ScanHandler
}

/** What holds while a dialog is open: scans and Escape are its own, and the focus goes back when it leaves. */
export function WhileOpen({ id, isGuarded, onClose, onScan }: WhileOpenProps): null {
  const [opener] = useState(currentPlace)
  const close = useCallbackRef(onClose)
  useScans(onScan)
  useLayoutEffect(() => noteOpen({ close, isGuarded }), [close, isGuarded])
  useEffect(() => () => goBackTo(opener, id), [opener, id])
  return null
}
