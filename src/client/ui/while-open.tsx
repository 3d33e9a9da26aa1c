import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState } from 'react'

import { type ScanHandler, useScans } from '../scanner/scan-source.tsx'
import { currentPlace, goBackTo } from './focus-place.ts'
import { noteOpen } from './open-dialogs.ts'

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
