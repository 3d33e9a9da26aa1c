import type { Dispatch, SetStateAction } from 'react'

import { useRight } from '../api/session.ts'
import { type BasketLine, failureHeeded, isSale, type LoanTerms } from './basket.ts'
import type { useLoanBasket } from './use-loan-basket.tsx'
import { dropRefused } from './save-loans.ts'

export type EditedBasket = {
  read: () => { lines: readonly BasketLine[] }
  change: (changes: { lines: readonly BasketLine[] }) => void
} & Pick<ReturnType<typeof useLoanBasket>, 'changeLine'>

/** What a person changes in a basket once copies are in it. */
export function useBasketEdits(
  { read, change, changeLine }: EditedBasket,
  setTerms: Dispatch<SetStateAction<LoanTerms>>,
) {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const drop = (line: BasketLine) => {
    const entry_id = line.failure?.entry_id ?? null
    if (entry_id !== null) void dropRefused(entry_id, 'Refus lu au moment du prêt')
  }
  return {
    onTerms: (changes: Partial<LoanTerms>) => {
      setTerms((before) => ({ ...before, ...changes }))
      const isLonger = changes.duration !== undefined
      if (!isLonger && changes.start_date === undefined) return
      change({
        lines: read().lines.map((line) => ({
          ...line,
          // Amounts follow the duration again: they are its product (file 1, section 5).
          ...(isLonger && !isSale(line) ? { amount: null } : {}),
          bounds_motive: null,
          failure: failureHeeded(line.failure),
        })),
      })
    },
    onConditions: (medium: number, conditions_given: boolean) =>
      change({
        lines: read().lines.map((line) =>
          line.copy.medium?.id === medium ? { ...line, conditions_given } : line,
        ),
      }),
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
      failure?.reason === 'RESERVED' ||
      (mayOverride &&
        (failure?.reason === 'NOT_ELIGIBLE' ||
          (failure?.reason === 'BEYOND_BOUNDS' && failure.violations.length > 0))),
    /** Notes what the refusal asked for, a motive unless somebody waits; the next save sends it. */
    onInsist: ({ copy, failure }: BasketLine, motive: string | null) => {
      if (failure?.reason === 'RESERVED') changeLine(copy.id, { despite_reservations: true })
      else if (failure?.reason === 'BEYOND_BOUNDS')
        changeLine(copy.id, { bounds_motive: motive, failure: failureHeeded(failure) })
      else changeLine(copy.id, { override_reason: motive })
    },
  }
}
