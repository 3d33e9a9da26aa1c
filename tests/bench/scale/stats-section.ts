import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { calendarDayOf } from '../../../src/domain/calendar-day.ts'
import { monthOf } from '../../../src/domain/stat-periods.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { type BenchLibrary, findPostgres, openBenchLibrary } from './bench-library.ts'
import { lookUp, type Send, viaRouter } from './product-calls.ts'
import { benchSize } from './scale-section.ts'

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

const month = new URLSearchParams(monthOf(calendarDayOf(new Date(), 'Europe/Paris'))).toString()
const year = 'start_date=2026-01-01&end_date=2026-12-31'
const paths = [
  ...['activity', 'references', 'beneficiaries', 'loanings'].flatMap((name) => [
    [`${name}, a month`, `/api/stats/${name}?${month}`] as const,
    [`${name}, a year`, `/api/stats/${name}?${year}`] as const,
  ]),
  ['what is out now', '/api/stats/active'],
  ['the yearly report', '/api/stats/yearly?year=2026'],
] as const

async function atRest(send: Send): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) times.push(await timeOf(() => send(lookUp(1 + n))))
  return median(times)
}

async function alone(library: BenchLibrary): Promise<Table> {
  const send = sendTo(library)
  const rest = await atRest(send)
  const rows: string[][] = []
  for (const [name, path] of paths) {
    const times: number[] = []
    const scans: number[] = []
    for (let n = 0; n < rounds; n += 1) {
      const asked = timeOf(() => send({ method: 'GET', path }))
      scans.push(await timeOf(() => send(lookUp(1 + n))))
      times.push(await asked)
    }
    rows.push([name, inMs(median(times)), inMs(quantile(times, 0.95)), inMs(quantile(scans, 1))])
  }
  return {
    title: `Statistics, embedded, ${library.size.loans.toLocaleString('en')} loans`,
    notes: [`Median of ${rounds}, ms. A look-up by bar code alone takes ${inMs(rest)} ms.`],
    columns: ['figures', 'median', 'p95', 'longest look-up meanwhile'],
    rows,
  }
}

async function compare(young: BenchLibrary, old: BenchLibrary): Promise<Table> {
  const [one, other] = [sendTo(young), sendTo(old)]
  const rest = await atRest(other)
  const rows: string[][] = []
  for (const [name, path] of paths) {
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
