import { benchScale, type Section, skipped, type Table } from '../section.ts'
import { type BenchLibrary, type Engine, findPostgres, openBenchLibrary } from './bench-library.ts'
import { compareWithBareDriver } from './compare-with-bare-driver.ts'
import { largeLibrary, type LibrarySize } from './fill-library.ts'
import { compareGrowth, compareReaders } from './growth.ts'
import { healthUnderStatistic } from './health-under-statistic.ts'
import { scansASecond } from './scans-a-second.ts'

const isFull = benchScale === 'full'
export const benchSize: LibrarySize = isFull
  ? largeLibrary
  : { references: 10_000, copies: 20_000, beneficiaries: 5000, loans: 100_000 }
const youngSize: LibrarySize = { ...benchSize, loans: benchSize.loans / 10 }
export const benchRounds = isFull ? 200 : 60

/** The calls of the counter on a large library, on both engines. */
export const scaleSection: Section = {
  name: 'scale',
  async *run() {
    const version = await findPostgres()
    if (version !== null) yield* benchEngine('PostgreSQL', version)
    else yield skipped('Calls on PostgreSQL', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
    yield* benchEngine('embedded', '')
  },
}

async function* benchEngine(engine: Engine, version: string): AsyncIterable<Table> {
  const young = await openBenchLibrary(engine, youngSize)
  let old: BenchLibrary | null = null
  try {
    old = await openBenchLibrary(engine, benchSize)
    yield tableOf(old, version)
    yield await compareWithBareDriver(old, benchRounds)
    if (engine === 'PostgreSQL') yield await scansASecond(old, isFull ? 15 : 5)
    yield await compareGrowth(young, old, benchRounds / 2)
    yield await compareReaders(old, benchRounds / 2)
    yield await healthUnderStatistic(old)
  } finally {
    await old?.drop()
    await young.drop()
  }
}

const tableOf = ({ engine, size, fillMs }: BenchLibrary, version: string): Table => ({
  title: `The library, ${engine} ${version}`.trim(),
  notes: [`Made in ${Math.round(fillMs / 1000)} s. Journal and idempotency keys begin empty.`],
  columns: Object.keys(size),
  rows: [Object.values(size).map((count) => count.toLocaleString('en'))],
})
