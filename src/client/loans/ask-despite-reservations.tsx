import * as v from 'valibot'

import { copyReserved } from '../../domain/sentences/counter.ts'
import { CallError } from '../api/call-error.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { ReservationQuestion } from './reservation-question.tsx'
import type { Waiting } from './reservation-words.ts'

type Refused = { name: string; error: unknown }

const day = v.nullish(v.string(), null)
const reserved = v.object({
  reservations: v.array(v.object({ beneficiary_name: v.string(), start_date: day, end_date: day })),
})

/** Who waits for the copy of a loan, where that is why its return was not moved. */
export function whoWaits(error: unknown): readonly Waiting[] | null {
  if (!(error instanceof CallError) || error.reason !== 'RESERVED') return null
  const told = v.safeParse(reserved, error.facts)
  return told.success ? told.output.reservations : []
}

/** Tells who waits for each copy, and asks whether its return is moved all the same. */
export function useAskDespiteReservations() {
  const confirm = useConfirm()
  return (refused: readonly Refused[]): Promise<boolean> =>
    confirm({
      title: copyReserved,
      message: (
        <ReservationQuestion
          copies={refused.map(({ name, error }) => ({ name, waiting: whoWaits(error) ?? [] }))}
        />
      ),
      acts: 'passes-over',
    })
}

/** What is to be sent beside, once somebody has been told who waits; null where it stays refused. */
export function useDespiteReservations() {
  const ask = useAskDespiteReservations()
  return async (error: unknown, name: string): Promise<{ despite_reservations: true } | null> =>
    whoWaits(error) && (await ask([{ name, error }])) ? { despite_reservations: true } : null
}
