import { useEffect, useState } from 'react'

/** A tablet draws so many without a pause, even in two lists. */
const rowsAtOnce = 8

/** How many rows to draw by now, because a hundred at once would delay a scan. */
export function useGradually(count: number): number {
  const [shown, setShown] = useState(rowsAtOnce)
  useEffect(() => {
    if (shown >= count) return undefined
    const timer = setTimeout(() => setShown(shown + rowsAtOnce))
    return () => clearTimeout(timer)
  }, [shown, count])
  return shown
}
