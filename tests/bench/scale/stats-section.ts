import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { type BenchLibrary, findPostgres, openBenchLibrary } from './bench-library.ts'
import { compareFigures } from './figures-floor.ts'
import { figures, lookUp, type Send, today, viaRouter } from './product-calls.ts'
import { benchSize } from './scale-section.ts'
import { timedReads } from './timed-reads.ts'

/** What statistics take on a library and on one with a tenth of its loans, and what a scan waits for meanwhile. */
export const statsSection: Section = {
  name: 'stats',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Statistics on PostgreSQL', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
    } else yield* onPostgres()
    // One machine, one library: what it is for, and where a scan waits for the whole statement.
    const library = await openBenchLibrary('embedded', {
      ...benchSize,
      references: benchSize.references / 10,
      copies: benchSize.copies / 10,
      loans: benchSize.loans / 10,
    })
    try {
      yield await alone(library)
    } finally {
      await library.drop()
    }
  },
}

async function* onPostgres(): AsyncGenerator<Table> {
  const young = await openBenchLibrary('PostgreSQL', { ...benchSize, loans: benchSize.loans / 10 })
  try {
    const old = await openBenchLibrary('PostgreSQL', benchSize)
    try {
      yield await compare(young, old)
      yield await compareFigures(old, 4 * rounds)
    } finally {
      await old.drop()
    }
  } finally {
    await young.drop()
  }
}

const rounds = 12

const sendTo = ({ environment, token }: BenchLibrary): Send =>
  viaRouter(createApp({ environments: [environment], logger: pino({ level: 'silent' }) }), token)

async function atRest(send: Send): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) times.push(await timeOf(() => send(lookUp(1 + n))))
  return median(times)
}

/** What is read of whole tables beside the figures: rows of the report, and titles in their order. */
const read = (): readonly (readonly [name: string, path: string])[] => {
  const year = today().slice(0, 4)
  return [
    ...['collections', 'borrowers_by_age', 'loans'].map(
      (table) => [`rows of ${table}`, `/api/stats/yearly/rows?year=${year}&table=${table}&page=3`] as const,
    ),
    ['the file of references', '/api/export/stats_references'],
  ]
}

/** Statements are timed while nobody else asks, and look-ups one after the other while a figure is read. */
async function alone(library: BenchLibrary): Promise<Table> {
  const timed = timedReads(library.environment)
  try {
    const send = sendTo({ ...library, environment: { ...library.environment, reads: timed.reads } })
    const rest = await atRest(send)
    const rows: string[][] = []
    for (const [name, path] of [...figures(), ...read()]) {
      const times: number[] = []
      const statements: number[] = []
      const scans: number[] = []
      for (let n = 0; n < rounds; n += 1) {
        timed.takeLongest()
        times.push(await timeOf(() => send({ method: 'GET', path })))
        statements.push(timed.takeLongest())
        const figure = { isAnswered: false }
        const asked = send({ method: 'GET', path }).finally(() => (figure.isAnswered = true))
        do scans.push(await timeOf(() => send(lookUp(1 + scans.length))))
        while (!figure.isAnswered)
        await asked
      }
      rows.push([
        name,
        ...[median(times), quantile(times, 0.95), median(statements), quantile(statements, 1)].map(inMs),
        inMs(quantile(scans, 1)),
      ])
    }
    return {
      title: `Statistics, embedded, ${library.size.loans.toLocaleString('en')} loans`,
      notes: [
        `${rounds} times, ms. A look-up by bar code alone takes ${inMs(rest)} ms, and waits for the end of the statement that runs.`,
      ],
      columns: [
        'figures',
        'median',
        'p95',
        'longest statement, median',
        'longest statement',
        'longest look-up meanwhile',
      ],
      rows,
    }
  } finally {
    await timed.close()
  }
}

async function compare(young: BenchLibrary, old: BenchLibrary): Promise<Table> {
  const [one, other] = [sendTo(young), sendTo(old)]
  const rest = await atRest(other)
  const rows: string[][] = []
  for (const [name, path] of figures()) {
    const times: [few: number[], many: number[]] = [[], []]
    const scans: number[] = []
    for (let n = 0; n < rounds; n += 1) {
      times[0].push(await timeOf(() => one({ method: 'GET', path })))
      const asked = timeOf(() => other({ method: 'GET', path }))
      scans.push(await timeOf(() => other(lookUp(1 + n))))
      times[1].push(await asked)
    }
    const [few, many] = times.map(median) as [number, number]
    rows.push([
      name,
      inMs(few),
      inMs(many),
      asRatio(many / few),
      inMs(quantile(times[1], 0.95)),
      inMs(quantile(scans, 1)),
    ])
  }
  return {
    title: `Statistics, PostgreSQL, ${young.size.loans.toLocaleString('en')} and ${old.size.loans.toLocaleString('en')} loans`,
    notes: [
      `Median of ${rounds}, ms; a period of the larger library holds ten times the loans. A look-up by bar code alone takes ${inMs(rest)} ms.`,
    ],
    columns: [
      'figures',
      'fewer loans',
      'more loans',
      'ratio',
      'more loans, p95',
      'longest look-up meanwhile',
    ],
    rows,
  }
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await act()
  return performance.now() - before
}
