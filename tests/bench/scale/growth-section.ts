import { benchScale, type Section, skipped } from '../section.ts'
import { findPostgres, openBenchLibrary } from './bench-library.ts'
import type { LibrarySize } from './fill-library.ts'
import { compareGrowth } from './growth.ts'
import { benchRounds } from './scale-section.ts'

/** Everything a hundred times: what a department's libraries together would have after years. */
const growth = benchScale === 'full' ? 100 : 10
const young: LibrarySize = { references: 10_000, copies: 20_000, beneficiaries: 5000, loans: 100_000 }
const old: LibrarySize = {
  references: young.references * growth,
  copies: young.copies * growth,
  beneficiaries: young.beneficiaries * growth,
  loans: young.loans * growth,
}

/** What the counter, lists and figures cost where readers, copies and loans have all grown. */
export const growthSection: Section = {
  name: 'growth',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Growth', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    const one = await openBenchLibrary('PostgreSQL', young)
    try {
      const other = await openBenchLibrary('PostgreSQL', old)
      try {
        yield await compareGrowth(one, other, benchRounds / 4, true)
      } finally {
        await other.drop()
      }
    } finally {
      await one.drop()
    }
  },
}
