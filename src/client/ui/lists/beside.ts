import { createContext } from 'react'

type BesideWays = {
  close: () => void
  hold: () => void
}

/** What a detail beside a list may ask of it; null where the detail is a page. */
export const Beside = createContext<BesideWays | null>(null)
