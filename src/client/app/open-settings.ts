import { createContext } from 'react'

/** The person's settings, given by the frame, so that the table of screens need not know itself. */
export const OpenSettings = createContext<readonly { path: string; label: string; section: string }[]>([])
