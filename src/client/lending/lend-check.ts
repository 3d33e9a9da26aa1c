import { getEligibility } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { findCopy, libraryToday } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import type { CounterCopy } from '../catalogue/copy-data.ts'

/** `reasons` against a loan, none when eligible, and `doubts` of the device's data off line. */
export type LendCheck = { reasons: string[]; doubts: string[] }

/** Asks the server or, without an answer, the domain's rules; null is today. */
export const checkLend = (
  copy: CounterCopy,
  beneficiary: number,
  start_date: CalendarDay | null,
): Promise<LendCheck> =>
  serverFirst(
    async () => {
      const answer = await call(getEligibility, {
        query: {
          beneficiary,
          copy: copy.id,
          explain: '1',
          ...(start_date === null ? {} : { start_date }),
        },
      })
      if (typeof answer === 'boolean') return { reasons: [], doubts: [] }
      return { reasons: answer.reasons.map(({ message }) => message), doubts: [] }
    },
    async () => {
      const known = await findCopy(copy.bar_code)
      if (!known) return { reasons: [], doubts: ['Cet exemplaire n’est pas connu de cet appareil.'] }
      const { refusals, doubts } = await judgeLend(
        known,
        beneficiary,
        await libraryToday(),
        start_date === null ? {} : { start_date },
      )
      return { reasons: refusals.map(({ message }) => message), doubts }
    },
  )
