import { useQuery } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useMemo, useState } from 'react'

import { sendMail } from '../../contract/mail.ts'
import { boundsOf, type LoanBounds } from '../../domain/loan-rules.ts'
import { fullName, nameAndNumber } from '../../domain/person-names.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { beneficiaryQuery } from '../beneficiaries/beneficiary-data.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { mailFailure } from '../loans/mail-failure.ts'
import { useOpenAt } from '../loans/open-days.ts'
import { useToday } from '../loans/use-today.ts'
import { oneMail, sayMailed } from '../mail/say-mailed.ts'
import { say } from '../page/messages.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'
import { type BasketLine, failureHeeded, isSale, type LoanTerms, noTerms, termErrors } from './basket.ts'
import { dropRefused, saveBasket, type SavedLoans } from './save-loans.ts'
import type { useLoanBasket } from './use-loan-basket.tsx'

type EditedBasket = {
  read: () => { lines: readonly BasketLine[] }
  change: (changes: { lines: readonly BasketLine[] }) => void
} & Pick<ReturnType<typeof useLoanBasket>, 'changeLine'>

/** What a person changes in a basket once copies are in it. */
function useBasketEdits(
  { read, change, changeLine }: EditedBasket,
  setTerms: Dispatch<SetStateAction<LoanTerms>>,
) {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const drop = (line: BasketLine) => {
    const entry_id = line.failure?.entry_id ?? null
    if (entry_id !== null) void dropRefused(entry_id, 'Refus lu au moment du prêt')
  }
  const remove = (line: BasketLine) => {
    drop(line)
    change({ lines: read().lines.filter(({ copy }) => copy.id !== line.copy.id) })
  }
  return {
    onTerms: (changes: Partial<LoanTerms>) => {
      setTerms((before) => ({ ...before, ...changes }))
      const isLonger = changes.duration !== undefined
      if (!isLonger && changes.start_date === undefined) return
      change({
        lines: read().lines.map((line) => ({
          ...line,
          // Amounts follow the duration again: they are its product.
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
    onRemove: remove,
    /** It is lent to nobody else, and what said so leaves with its line. */
    onSetAside: (line: BasketLine) => {
      const [name] = nameAndNumber(line.failure?.awaited?.[0]?.name ?? 'la personne qui l’attend')
      say(`Mis de côté pour ${name}.`, 'good', { about: line.copy.name })
      remove(line)
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
      if (failure?.reason === 'RESERVED') changeLine(copy.id, { passed: failure.awaited ?? [] })
      else if (failure?.reason === 'BEYOND_BOUNDS')
        changeLine(copy.id, { bounds_motive: motive, failure: failureHeeded(failure) })
      else changeLine(copy.id, { override_reason: motive })
    },
  }
}

/** Sends the recap of new loans, one mail a loan because the call takes one. */
function useLoanMail(beneficiary: number | null) {
  const maySend = useRight('SEND_MAIL')
  const { data } = useQuery({
    ...beneficiaryQuery(beneficiary ?? 0),
    enabled: beneficiary !== null && maySend,
  })
  const { mutateAsync } = useChange(sendMail)
  const send = async (loans: readonly number[]) => {
    if (loans.length === 0) return
    try {
      for (const loaning of loans) await mutateAsync({ body: { loaning, template: 'loaning_creation' } })
      await sayMailed(oneMail, { about: data && fullName(data) })
    } catch (error) {
      say(mailFailure(error), 'bad')
    }
  }
  return { isOffered: maySend && data?.has_contact_email === true, send }
}

/** How far the terms of a loan may go; a bound that is not known yet is left to the server. */
function useLoanBounds(): LoanBounds {
  const known = {
    longest_loan_days: useNumberParameter('longest_loan_days'),
    earliest_start_days: useNumberParameter('earliest_start_days'),
    latest_start_days: useNumberParameter('latest_start_days'),
  }
  return boundsOf((code) => known[code])
}

/** `card` was read of a reader whom nobody here knows. */
type Contents = { chosen: ChosenReader | null; card?: string | null; lines: readonly BasketLine[] }

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
      const { chosen: reader, card = null, lines: toSave } = basket.read()
      const borrower = reader ?? (card === null ? null : { card })
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
