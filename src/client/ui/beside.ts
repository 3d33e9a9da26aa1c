import { createContext } from 'react'

export type BesideWays = {
  close: () => void
  /** From now on no row of the list changes its place. */
  hold: () => void
}

/** What the detail that stands beside a list asks of it; null where it is a page of its own. */
export const Beside = createContext<BesideWays | null>(null)
