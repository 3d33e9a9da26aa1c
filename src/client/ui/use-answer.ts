import { useCallback, useRef } from 'react'

/**
 * The answer that a dialog owes. A dialog that asks something else gives up what it asked before (`nothing`): whoever waits for that
 * goes on.
 */
export function useAnswer<T>(nothing: T) {
  const settleLast = useRef<(answer: T) => void>(() => undefined)
  const wait = useCallback((): Promise<T> => {
    settleLast.current(nothing)
    return new Promise((resolve) => {
      settleLast.current = resolve
    })
  }, [nothing])
  const settle = useCallback((answer: T) => settleLast.current(answer), [])
  return { wait, settle }
}
