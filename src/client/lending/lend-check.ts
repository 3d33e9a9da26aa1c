import type { CalendarDay } from '../../domain/calendar-day.ts'
import { findCopy, type KnownCopy, libraryToday } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { askEligibility } from './ask-eligibility.ts'

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
