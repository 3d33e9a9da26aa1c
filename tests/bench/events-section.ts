import { benchEvents } from './events-bench.ts'
import { administratorPassword, findPostgres, openBenchLibrary } from './scale/bench-library.ts'
import { isBuilt } from './server-process.ts'
import { type Section, skipped } from './section.ts'

const size = { references: 1000, copies: 2000, beneficiaries: 500, loans: 5000 }

/** What many open event streams cost, on both engines. */
export const eventsSection: Section = {
  name: 'events',
  async *run() {
    if (!isBuilt()) {
      yield skipped('Event streams', 'dist/server is not built (npm run build:server)')
      return
    }
    for (const engine of ['PostgreSQL', 'embedded'] as const) {
      if (engine === 'PostgreSQL' && (await findPostgres()) === null) {
        yield skipped('Event streams on PostgreSQL', 'it is not reachable (TEST_DATABASE_URL)')
        continue
      }
      const library = await openBenchLibrary(engine, size)
      try {
        // One process at a time has an embedded database: the measured server opens it next.
        if (engine === 'embedded') await library.environment.close()
        yield await benchEvents(library, { username: 'admin', password: administratorPassword })
      } finally {
        await library.drop()
      }
    }
  },
}
