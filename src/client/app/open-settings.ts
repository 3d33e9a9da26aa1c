import { createContext } from 'react'

/** What stands in the settings for the person, as the table of screens says: the frame gives it, so that the table need not know itself. */
export const OpenSettings = createContext<readonly { path: string; label: string; section: string }[]>([])
