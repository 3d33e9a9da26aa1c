import { useEffect, useState } from 'react'

/** What a tablet draws without being felt, two lists at a time. */
const rowsAtOnce = 8

/** How many of so many rows to draw by now: a hundred at once would keep the page from answering to a scan. */
export function useGradually(count: number): number {
  const [shown, setShown] = useState(rowsAtOnce)
  useEffect(() => {
    if (shown >= count) return undefined
    const timer = setTimeout(() => setShown(shown + rowsAtOnce))
    return () => clearTimeout(timer)
  }, [shown, count])
  return shown
}
