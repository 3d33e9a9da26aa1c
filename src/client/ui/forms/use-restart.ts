import { useState } from 'react'

/** The turn of a form, for its key, and what begins it anew on what is read by then. */
export function useRestart(
  refetch: () => Promise<unknown>,
): readonly [turn: number, restart: () => Promise<void>] {
  const [turn, setTurn] = useState(0)
  const restart = async () => {
    await refetch()
    setTurn(turn + 1)
  }
  return [turn, restart]
}
