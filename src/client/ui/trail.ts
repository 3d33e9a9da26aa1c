import { createContext } from 'react'

/** The screens that a screen stands under, from the outermost: the app gives them, the header of the page shows them. */
export type Trail = readonly { label: string; path: string }[]

export const TrailContext = createContext<Trail>([])
