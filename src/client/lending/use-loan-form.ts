import { type Dispatch, type SetStateAction, useMemo, useState } from 'react'

import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { useOpenAt } from '../loans/open-days.ts'
import { useToday } from '../loans/use-today.ts'
import { type BasketLine, type LoanTerms, noTerms, termErrors } from './basket.ts'
import { type SavedLoans, saveBasket } from './save-loans.ts'
import { type EditedBasket, useBasketEdits } from './use-basket-edits.ts'
import { useLoanBounds } from './use-loan-bounds.ts'
import { useLoanMail } from './use-loan-mail.ts'

type Contents = { chosen: ChosenReader | null; lines: readonly BasketLine[] }

/** What a form of loans is made of: who borrows, the copies, and how to change them. */
export type FormBasket = Contents & Omit<EditedBasket, 'read'> & { read: () => Contents }

export type LoanForm = ReturnType<typeof useLoanForm>

/** Terms of the copies in a basket, and how they are recorded. */
export function useLoanForm(
  basket: FormBasket,
  [terms, setTerms]: [LoanTerms, Dispatch<SetStateAction<LoanTerms>>],
) {
  const { chosen, lines } = basket
  const today = useToday()
  const bounds = useLoanBounds()
  const { openAt, isCalendarKnown } = useOpenAt()
  const errors = useMemo(() => termErrors(lines), [lines])
  const edits = useBasketEdits(basket, setTerms)
  const [isMailed, setMailed] = useState(false)
  const [isPending, setPending] = useState(false)
  const mail = useLoanMail(chosen?.reader.id ?? null)

  return {
    chosen,
    lines,
    terms,
    on: { today, openAt, isCalendarKnown },
    errors,
    edits,
    mail: { isOffered: mail.isOffered, isMailed, setMailed },
    isPending,
    /** Records what can be, each with what a person `grants` to it; what cannot stays in the basket. Null for nothing to record. */
    async save(grants: (line: BasketLine) => BasketLine = asItIs): Promise<SavedLoans | null> {
      const { chosen: borrower, lines: toSave } = basket.read()
      if (!borrower || toSave.length === 0) return null
      setPending(true)
      const saved = await saveBasket(toSave.map(grants), terms, borrower, { bounds, openAt }).finally(() =>
        setPending(false),
      )
      basket.change({ lines: saved.left })
      if (isMailed && mail.isOffered) void mail.send(saved.loans.map(({ id }) => id))
      if (saved.left.length === 0) setTerms(noTerms)
      return saved
    },
  }
}

const asItIs = (line: BasketLine): BasketLine => line
