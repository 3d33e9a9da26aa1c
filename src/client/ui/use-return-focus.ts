import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what held it, when a dialog that is rendered only while it is open goes away: the library does so only for one
 * that stays rendered.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}
