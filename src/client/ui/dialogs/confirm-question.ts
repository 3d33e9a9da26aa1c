import type { ReactNode } from 'react'

import type { ForGood } from './dialog.tsx'

/** The buttons are Valider and Annuler, so the title names the act. */
export type Question = {
  title: string
  /** As for a `Dialog`. */
  isNamed?: boolean
  message: ReactNode
  /** What a yes does for good; the dialog then focuses its no. */
  acts?: ForGood
}
