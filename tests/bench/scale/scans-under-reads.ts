import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { inMs, median, quantile, type Table } from '../section.ts'
import { type BenchLibrary } from './bench-library.ts'
import { eligibility, giveBack, lend, lookUp, type Send, sizeOf, viaRouter } from './product-calls.ts'
import { openSession } from '../../support/open-session.ts'

const pagesAtOnce = 30
/** Orders that no index gives, orders that one gives, and a list that must be counted. */
const lists = [
  '/api/loanings?order[beneficiary_lastname]=desc',
  '/api/loanings?order[end_date]=desc',
  '/api/loanings?order[start_date]=desc',
  '/api/loanings?filters[category|eq]=3',
  '/api/references?order[name]=desc',
  '/api/copies?order[name]=desc',
]

/** How long a scan waits while one session reads thirty new pages in the middle of lists. */
export async function scansUnderReads(library: BenchLibrary): Promise<Table> {
  const { environment, engine, size, token } = library
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const counter = viaRouter(app, token)
  const reader = viaRouter(app, await openSession(environment.db))
  const quiet = await scanWhile(library, counter, (rounds) => rounds < 40)
  let pending = 0
  const begin = performance.now()
  const asked = Array.from({ length: pagesAtOnce }, async (_, n) => {
    pending += 1
    const list = lists[n % lists.length] ?? ''
    await reader({ method: 'GET', path: `${list}&page=${middleOf(list, library) + n}` }).finally(
      () => (pending -= 1),
    )
  })
  const busy = await scanWhile(library, counter, (rounds) => pending > 0 || rounds < 5)
  await Promise.all(asked)
  const took = performance.now() - begin
  const row = (name: string, { scans, waits }: Scans) => [
    name,
    String(scans.length),
    ...[median(scans), quantile(scans, 0.95), Math.max(...scans), median(waits), Math.max(...waits)].map(
      (value) => `${inMs(value)} ms`,
    ),
  ]
  return {
    title: `Scans while ${pagesAtOnce} deep pages are read by one session, ${size.loans.toLocaleString('en')} loans, ${engine}`,
    notes: [
      `A scan is a look-up, an eligibility, a loan and a return. The pages took ${inMs(took)} ms in all. « Alone » is a statement of nothing, sent by itself: how long the engine kept it.`,
    ],
    columns: ['', 'scans', 'median', 'p95', 'longest', 'alone, median', 'alone, longest'],
    rows: [row('quiet', quiet), row('meanwhile', busy)],
  }
}

const middleOf = (list: string, { size }: BenchLibrary): number =>
  Math.floor(
    (list.includes('loanings') ? size.loans / (list.includes('category') ? 7 : 1) : size.references) / 50,
  )

type Scans = { scans: number[]; waits: number[] }

async function scanWhile(
  { environment, size }: BenchLibrary,
  send: Send,
  goesOn: (rounds: number) => boolean,
): Promise<Scans> {
  const done: Scans = { scans: [], waits: [] }
  for (let n = 0; goesOn(n); n += 1) {
    // At home, as every copy whose id is no multiple of six.
    const copy = 1 + 6 * (n % Math.floor(size.copies / 12))
    const before = performance.now()
    sizeOf(await send(lookUp(copy)))
    await send(eligibility(10, copy))
    await send(lend(copy, 10))
    await send(giveBack(copy))
    done.scans.push(performance.now() - before)
    const alone = performance.now()
    await environment.pool.query('select 1')
    done.waits.push(performance.now() - alone)
  }
  return done
}
