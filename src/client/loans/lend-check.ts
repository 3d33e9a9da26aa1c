import { getEligibility } from '../../contract/loans.ts'
import { findCopy, libraryToday } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import type { CounterCopy } from '../catalogue/copy-data.ts'

/** Why a reader may not borrow a copy (`reasons`, none when eligible), and what makes that uncertain off line. */
export type LendCheck = { reasons: string[]; doubts: string[] }

/** Asks the server, or the domain's rules over the device's own data when it does not answer. */
export const checkLend = (copy: CounterCopy, beneficiary: number, start_date: string): Promise<LendCheck> =>
  serverFirst(
    async () => {
      const answer = await call(getEligibility, {
        query: { beneficiary, copy: copy.id, start_date, explain: '1' },
      })
      if (typeof answer === 'boolean') return { reasons: [], doubts: [] }
      return { reasons: answer.reasons.map(({ message }) => message), doubts: [] }
    },
    async () => {
      const known = await findCopy(copy.bar_code)
      if (!known) return { reasons: [], doubts: ['Cet exemplaire n’est pas connu de cet appareil.'] }
      const { refusals, doubts } = await judgeLend(known, beneficiary, await libraryToday(), { start_date })
      return { reasons: refusals.map(({ message }) => message), doubts }
    },
  )
