import { useEffect, useState } from 'react'

/** A value once it is still (file 1, section 9: 500 ms for most lists). */
export function useDebounced<T>(value: T, ms = 500): T {
  const [still, setStill] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return still
}
