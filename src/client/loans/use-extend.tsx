import { Button, Group } from '@mantine/core'

import type { BodyOf } from '../../contract/endpoint.ts'
import { undoExtension } from '../../contract/extensions.ts'
import { extendLoan, type Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { useChange, useEachChange } from '../api/queries.ts'
import { hideSaid, say, sayError } from '../page/messages.ts'
import { useAskDespiteReservations, useDespiteReservations, whoWaits } from './ask-despite-reservations.tsx'
import { type Changed, changedOf } from './loan-data.ts'

export type Extension = BodyOf<typeof extendLoan>

/** Extends a loan; of a copy that somebody waits for it asks first, as a loan does. */
export function useExtendLoan() {
  const despite = useDespiteReservations()
  const { mutateAsync } = useChange(extendLoan)
  return async ({ id, reference_name }: Loan, body: Extension): Promise<Loan> => {
    try {
      return await mutateAsync({ params: { id }, body })
    } catch (refusal) {
      const told = await despite(refusal, reference_name)
      if (!told) throw refusal
      return mutateAsync({ params: { id }, body: { ...body, ...told } })
    }
  }
}

/** Says what an extension came to, with what takes it back. */
export function useSayExtended() {
  const { mutateAsync } = useChange(undoExtension)
  const undo = async ({ id, end_date, reference_name }: Loan): Promise<void> => {
    try {
      const loan = await mutateAsync({ params: { id }, body: { end_date } })
      say(`La prolongation est annulée. Retour prévu le ${frenchDay(loan.end_date)}.`, 'good', {
        about: reference_name,
      })
    } catch (refusal) {
      sayError(refusal)
    }
  }
  return (loan: Loan, sentence: string, tone: 'good' | 'warn'): void => {
    const message = say(sentence, tone, {
      about: (
        <Group justify="space-between" gap="xs">
          {loan.reference_name}
          <Button
            variant="default"
            px="sm"
            onClick={() => {
              hideSaid(message)
              void undo(loan)
            }}
          >
            Annuler la prolongation
          </Button>
        </Group>
      ),
    })
  }
}

/** Extends several loans by as many of their own units, and asks once about all those that somebody waits for. */
export function useExtendLoans() {
  const ask = useAskDespiteReservations()
  const { changeEach, ...underWay } = useEachChange(extendLoan)
  const extendEach = async (of: readonly Loan[], body: Extension) =>
    changedOf(of, await changeEach(of.map(({ id }) => ({ params: { id }, body }))))
  const extend = async (of: readonly Loan[], body: Extension): Promise<Changed<Loan>> => {
    const first = await extendEach(of, body)
    const reserved = first.failed.filter(({ error }) => whoWaits(error) !== null)
    if (first.left.length > 0 || reserved.length === 0) return first
    const named = reserved.map(({ loan, error }) => ({ name: loan.reference_name, error }))
    if (!(await ask(named))) return first
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
