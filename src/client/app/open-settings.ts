import { createContext } from 'react'

type OpenSetting = { path: string; label: string; section: string; also?: string }

/** The person's settings, given by the frame, so that the table of screens need not know itself. */
export const OpenSettings = createContext<readonly OpenSetting[]>([])
