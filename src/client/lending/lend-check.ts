import { getEligibility } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { readerNotEligible } from '../../domain/sentences/counter.ts'
import { findCopy, type KnownCopy, libraryToday } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { longestAskMs } from '../api/server-first.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'

/** `reasons` against a loan, none when eligible, and `doubts` of the device's data off line. */
export type LendCheck = { reasons: string[]; doubts: string[] }

/** Asks the server or, without an answer, the domain's rules; null is today. */
export async function checkLend(
  copy: CounterCopy,
  beneficiary: number,
  start_date: CalendarDay | null,
): Promise<LendCheck> {
  const reasons = await askEligibility(beneficiary, copy.id, start_date)
  if (reasons) return { reasons, doubts: [] }
  const today = await libraryToday()
  const known = await findCopy(copy.bar_code, today)
  return known
    ? checkOnDevice(known, beneficiary, start_date, today)
    : { reasons: [], doubts: ['Cet exemplaire n’est pas connu de cet appareil.'] }
}

/** The server's reasons against a loan; null where it does not answer, or not in time. */
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

/** By the domain's rules alone. */
export async function checkOnDevice(
  known: KnownCopy,
  beneficiary: number,
  start_date: CalendarDay | null,
  today: CalendarDay,
): Promise<LendCheck> {
  const from = start_date === null ? {} : { start_date }
  const { refusals, doubts } = await judgeLend(known, beneficiary, today, from)
  return { reasons: refusals.map(({ message }) => message), doubts }
}
