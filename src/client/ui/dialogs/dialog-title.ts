import { createContext } from 'react'

/** Of the dialog that something stands in, by which whoever lost it opens it again. */
export const DialogTitle = createContext<string | undefined>(undefined)
