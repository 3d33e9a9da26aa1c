import { getEligibility } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { readerNotEligible } from '../../domain/sentences/counter.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { longestAskMs } from '../api/server-first.ts'

/** The server's reasons against a loan, of today where the day is null; null where it does not answer, or not in time. */
export async function askEligibility(
  beneficiary: number,
  copy: number,
  start_date: CalendarDay | null,
): Promise<string[] | null> {
  if (currentConnection() === 'offline') return null
  const signal = AbortSignal.timeout(longestAskMs)
  const query = { beneficiary, copy, explain: '1', ...(start_date === null ? {} : { start_date }) } as const
  try {
    const answer = await call(getEligibility, { query, signal })
    if (typeof answer !== 'boolean') return answer.reasons.map(({ message }) => message)
    return answer ? [] : [readerNotEligible]
  } catch (error) {
    if (signal.aborted || (error instanceof CallError && error.isNoNetwork)) return null
    throw error
  }
}
