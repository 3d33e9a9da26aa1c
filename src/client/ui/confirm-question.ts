import type { ReactNode } from 'react'

import type { Act } from './dialog.tsx'

/** What is asked for a yes or a no. The buttons are Valider and Annuler (file 2, « Shared interface helpers »): the title says the act. */
export type Question = {
  title: string
  message: ReactNode
  /** What a yes does that is not taken back; the dialog then focuses its no. */
  acts?: Act
}
