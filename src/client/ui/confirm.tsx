import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'

import { useAnswer } from './use-answer.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

export type Question = {
  title: string
  message: ReactNode
  danger?: boolean
  confirmLabel?: string
  cancelLabel?: string
}
type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false))

/** Asks with Valider and Annuler; answers false when the dialog is dismissed, or asked something else. */
export const useConfirm = (): Ask => useContext(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer(false)
  const { wait } = answer
  const ask = useCallback<Ask>(
    (asked) => {
      setQuestion(asked)
      setOpen(true)
      return wait()
    },
    [wait],
  )
  const settle = (yes: boolean) => {
    setOpen(false)
    answer.settle(yes)
  }
  return (
    <ConfirmContext value={ask}>
      {children}
      {question ? (
        <Suspense fallback={null}>
          <ConfirmDialog question={question} isOpen={isOpen} onSettle={settle} />
        </Suspense>
      ) : null}
    </ConfirmContext>
  )
}
