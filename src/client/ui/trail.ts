import { createContext } from 'react'

export type Trail = readonly { label: string; path: string }[]

export const TrailContext = createContext<Trail>([])
