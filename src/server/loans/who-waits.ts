import { readerOf } from '../../contract/loans.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved } from '../../domain/sentences/counter.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, type Refused } from '../http/outcome.ts'
import { reservationsOfCopy } from './circulating-copy.ts'
import { reservationFacts, type StoredLoan } from './tell-loan.ts'

/** Refuses a later return while somebody waits for the copy, or has reserved days that the loan would now take. */
export async function refusedForWhoWaits(
  trx: Trx,
  loan: StoredLoan,
  { end_date, isTold }: { end_date: string; isTold: boolean | undefined },
  { sight }: Exchange,
): Promise<Refused | null> {
  if (isTold || end_date <= loan.end_date) return null
  const waiting = reservationsBefore(await reservationsOfCopy(trx, loan.copy), {
    reader: readerOf(loan),
    copy: loan.copy,
    start_date: plusDays(loan.end_date, 1),
    end_date,
  })
  return waiting.length === 0
    ? null
    : conflict('RESERVED', copyReserved, { reservations: reservationFacts(sight, waiting) })
}
