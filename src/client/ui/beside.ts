import { createContext } from 'react'

/** How the detail that stands beside a list is closed; null where it is a page of its own. */
export const Beside = createContext<(() => void) | null>(null)
