import type { Dispatch, SetStateAction } from 'react'

import { useRight } from '../session/session.ts'
import type { BasketLine, LoanTerms } from './basket.ts'
import type { useLoanBasket } from './use-loan-basket.tsx'
import { dropRefused } from './save-loans.ts'

type Basket = Pick<ReturnType<typeof useLoanBasket>, 'read' | 'change' | 'changeLine' | 'askMotive'>

/** What a person changes in a basket once copies are in it. */
export function useBasketEdits(
  { read, change, changeLine, askMotive }: Basket,
  setTerms: Dispatch<SetStateAction<LoanTerms>>,
) {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const drop = (line: BasketLine) => {
    if (line.failure) void dropRefused(line.failure.entry_id, 'Refus lu au moment du prêt')
  }
  return {
    onTerms: (changes: Partial<LoanTerms>) => {
      setTerms((before) => ({ ...before, ...changes }))
      // Amounts follow the duration again: they are its product (file 1, section 5).
      if (changes.duration !== undefined)
        change({ lines: read().lines.map((line) => ({ ...line, amount: null })) })
    },
    onAmount: (line: BasketLine, amount: string) => changeLine(line.copy.id, { amount }),
    onRemove: (line: BasketLine) => {
      drop(line)
      change({ lines: read().lines.filter(({ copy }) => copy.id !== line.copy.id) })
    },
    onDismiss: (line: BasketLine) => {
      drop(line)
      changeLine(line.copy.id, { failure: null })
    },
    mayInsist: ({ failure }: BasketLine) =>
      failure?.reason === 'RESERVED' || (failure?.reason === 'NOT_ELIGIBLE' && mayOverride),
    /** Notes what the refusal asked for; the next save sends it. */
    onInsist: (line: BasketLine) => void insist(line),
  }

  async function insist(line: BasketLine) {
    if (line.failure?.reason === 'RESERVED') changeLine(line.copy.id, { despite_reservations: true })
    else {
      const override_reason = await askMotive({
        title: line.copy.name,
        reasons: [line.failure?.message ?? ''],
      })
      if (override_reason !== null) changeLine(line.copy.id, { override_reason })
    }
  }
}
