import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext } from 'react'

import type { Question } from './confirm-question.ts'
import { useQuestions } from './use-questions.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false))

/** Asks and answers false when dismissed; a second question waits for its turn. */
export const useConfirm = (): Ask => useContext(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { asked, isOpen, ask, settle, isAsked } = useQuestions<Question, boolean>()
  const askOnce = useCallback<Ask>(
    async (question) => {
      // Pressed twice, a button asks once.
      const isSame = (other: Question) => other.title === question.title && other.message === question.message
      return isAsked(isSame) ? false : await ask(question)
    },
    [ask, isAsked],
  )
  return (
    <ConfirmContext value={askOnce}>
      {children}
      {asked ? (
        <Suspense fallback={null}>
          <ConfirmDialog
            key={asked.turn}
            question={asked.question}
            isOpen={isOpen}
            onSettle={(yes) => settle(asked.turn, yes)}
          />
        </Suspense>
      ) : null}
    </ConfirmContext>
  )
}
