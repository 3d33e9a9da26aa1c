import { createContext } from 'react'

/** The screens above a screen, the outermost first; the app gives them to the page's header. */
export type Trail = readonly { label: string; path: string }[]

export const TrailContext = createContext<Trail>([])
