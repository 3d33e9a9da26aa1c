import * as v from 'valibot'

import type { BodyOf } from '../../contract/endpoint.ts'
import { extendLoan, type Loan } from '../../contract/loans.ts'
import { copyReserved } from '../../domain/sentences/counter.ts'
import { CallError } from '../api/call-error.ts'
import { useChange, useEachChange } from '../api/queries.ts'
import { ReservationQuestion } from './reservation-question.tsx'
import type { Waiting } from './reservation-words.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Changed, changedOf, type FailedLoan } from './loan-data.ts'

export type Extension = BodyOf<typeof extendLoan>

/** Extends a loan; of a copy that somebody waits for it asks first, as a loan does. */
export function useExtendLoan() {
  const confirm = useConfirm()
  const { mutateAsync } = useChange(extendLoan)
  return async ({ id, reference_name }: Loan, body: Extension): Promise<Loan> => {
    try {
      return await mutateAsync({ params: { id }, body })
    } catch (refusal) {
      const waiting = whoWaits(refusal)
      if (!waiting || !(await confirm(questionOf([{ name: reference_name, waiting }])))) throw refusal
      return mutateAsync({ params: { id }, body: { ...body, despite_reservations: true } })
    }
  }
}

/** Extends several loans by as many of their own units, and asks once about all those that somebody waits for. */
export function useExtendLoans() {
  const confirm = useConfirm()
  const { changeEach, ...underWay } = useEachChange(extendLoan)
  const extendEach = async (of: readonly Loan[], body: Extension) =>
    changedOf(of, await changeEach(of.map(({ id }) => ({ params: { id }, body }))))
  const extend = async (of: readonly Loan[], body: Extension): Promise<Changed<Loan>> => {
    const first = await extendEach(of, body)
    const reserved = first.failed.filter(({ error }) => whoWaits(error) !== null)
    if (first.left.length > 0 || reserved.length === 0) return first
    if (!(await confirm(questionOf(reserved.map(named))))) return first
    const again = await extendEach(
      reserved.map(({ loan }) => loan),
      { ...body, despite_reservations: true },
    )
    return {
      done: [...first.done, ...again.done],
      failed: [...first.failed.filter((one) => !reserved.includes(one)), ...again.failed],
      left: again.left,
    }
  }
  return { extend, ...underWay }
}

const named = ({ loan, error }: FailedLoan) => ({
  name: loan.reference_name,
  waiting: whoWaits(error) ?? [],
})

const questionOf = (copies: readonly { name: string; waiting: readonly Waiting[] }[]) => ({
  title: copyReserved,
  message: <ReservationQuestion copies={copies} />,
  acts: 'passes-over' as const,
})

const day = v.nullish(v.string(), null)
const reserved = v.object({
  reservations: v.array(v.object({ beneficiary_name: v.string(), start_date: day, end_date: day })),
})

/** Who waits for the copy of a loan, where that is why it was not extended. */
function whoWaits(error: unknown): readonly Waiting[] | null {
  if (!(error instanceof CallError) || error.reason !== 'RESERVED') return null
  const told = v.safeParse(reserved, error.facts)
  return told.success ? told.output.reservations : []
}
