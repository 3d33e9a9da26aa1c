import { benchScale, type Section, skipped } from '../section.ts'
import { type Engine, findPostgres, openBenchLibrary } from './bench-library.ts'
import { deepPages } from './deep-pages.ts'
import { benchSize } from './scale-section.ts'
import { scansUnderReads } from './scans-under-reads.ts'

/** What a reader of long lists costs, and costs the counter. */
export const readsSection: Section = {
  name: 'reads',
  async *run() {
    const engines: Engine[] = ['embedded']
    if ((await findPostgres()) === null)
      yield skipped('Deep pages on PostgreSQL', 'PostgreSQL is not reachable')
    else engines.unshift('PostgreSQL')
    for (const engine of engines) {
      const library = await openBenchLibrary(engine, benchSize)
      try {
        yield await scansUnderReads(library)
        yield await deepPages(library, benchScale === 'full' ? 9 : 5)
      } finally {
        await library.drop()
      }
    }
  },
}
