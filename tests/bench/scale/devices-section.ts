import { benchScale, type Section, skipped } from '../section.ts'
import { findPostgres, openBenchLibrary } from './bench-library.ts'
import { loadByDevices, loadByProcesses } from './devices-load.ts'
import { benchSize } from './scale-section.ts'
import { isBuilt } from '../server-process.ts'

const isFull = benchScale === 'full'

/** The built server under the scans of many devices. */
export const devicesSection: Section = {
  name: 'devices',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Devices that scan', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    if (!isBuilt()) {
      yield skipped('Devices that scan', 'dist/server is not built (npm run build:server)')
      return
    }
    const library = await openBenchLibrary('PostgreSQL', benchSize)
    try {
      yield await loadByDevices(library, isFull ? 60 : 5)
      yield await loadByProcesses(library, isFull ? 15 : 4)
    } finally {
      await library.drop()
    }
  },
}
