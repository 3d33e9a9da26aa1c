import { useEffect, useState } from 'react'

/** How long what is typed must be still, and where there are many: references, labels and keywords. */
export const stillMs = 500
export const longStillMs = 1000

/** A value once it is still. */
export function useDebounced<T>(value: T, ms = stillMs): T {
  const [still, setStill] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return still
}
