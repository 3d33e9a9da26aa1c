import { sql } from 'kysely'
import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { inMs, median, quantile, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { lookUp, viaRouter } from './product-calls.ts'

/** How soon /health answers while a statistic reads every loan, and how long a look-up waits for it. */
export async function healthUnderStatistic(library: BenchLibrary): Promise<Table> {
  const { environment, engine, size, token } = library
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const send = viaRouter(app, token)
  await send(lookUp(1))
  const waits: number[] = []
  const ended = new AbortController()
  const begin = performance.now()
  const statistic = sql`
    select date_trunc('month', l.start_date) as month, r.category, count(*) as loans, count(distinct l.beneficiary) as readers,
      avg(l.return_date - l.start_date) as days
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
    group by 1, 2 order by 1, 2`
    .execute(environment.db)
    .then(() => {
      ended.abort()
      return performance.now() - begin
    })
  const lookedUp = send(lookUp(2)).then(() => performance.now() - begin)
  while (!ended.signal.aborted) {
    const before = performance.now()
    const { status } = await app.request('/health')
    waits.push(performance.now() - before)
    if (status !== 200) throw new Error(`/health answered ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    title: `/health while a statistic over ${size.loans.toLocaleString('en')} loans runs, ${engine}`,
    columns: [
      'statistic',
      'answers of /health',
      'median',
      'p95',
      'longest',
      'a look-up asked at the same time',
    ],
    rows: [
      [
        `${inMs(await statistic)} ms`,
        `${waits.length}, all 200`,
        `${inMs(median(waits))} ms`,
        `${inMs(quantile(waits, 0.95))} ms`,
        `${inMs(Math.max(...waits))} ms`,
        `${inMs(await lookedUp)} ms`,
      ],
    ],
  }
}
