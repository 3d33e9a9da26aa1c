import { streamXlsxRows } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import type { YearlyReport } from '../../src/contract/yearly-report.ts'
import { boundStatements } from '../../src/server/db/lists/planned-cost.ts'
import { cutLoansOf } from '../../src/server/erasure/cut-loans.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { addManyRows } from '../support/many-rows.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

// What the embedded engine counts in slices is what one statement counts, which both engines are asked for here.

const today = testNow.slice(0, 10)
const titles = 60

describeServer('figures that are counted in slices', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'copies', 'references', 'beneficiaries')
    await addManyRows(server.db, titles)
    const written = [
      // Whatever figures tell apart, in the year that is told and around it.
      sql`update "references" set audience = (array['adult', 'youth', null])[1 + id % 3], deleted_at = case when id % 20 = 0 then now() end`,
      sql`update copies set buy_date = case when id % 5 > 0 then date '2024-06-01' + id * 7 end, created_at = timestamptz '2025-01-15' + id * interval '5 days',
        status = case when id % 7 = 0 then 'Non Disponible' else status end, withdrawn_on = case when id % 7 = 0 then date '2025-01-01' + id * 6 end, withdrawal_reason = case when id % 7 = 0 then (array['Donné', 'Détruit'])[1 + id % 2] end`,
      sql`update beneficiaries set created_at = timestamptz '2014-02-01' + (id * 71) * interval '1 day', commune = (array['Lyon', 'Bron', null])[1 + id % 3],
        kind = case when id % 9 = 0 then 'collectivity' else 'person' end`,
      sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, amount,
          lent_at, lent_received_at, audience, age_band)
        select 1 + (n * n) % ${titles}, 1 + (n * 7) % ${titles}, 1 + n % 2, case when n % 23 = 0 then 'cancelled' else 'finished' end, day, day + 21,
          case when n % 23 > 0 then day + 5 + n % 30 end, 3, 'WEEK', 0, day, day, (array['adult', 'youth', null])[1 + n % 3], (array['6-10', '25-64', null])[1 + n % 3]
        from (select n, date '2024-12-01' + (n * 37) % 470 as day from generate_series(1, 400) n) days`,
      sql`update loanings set deleted_at = now() where id % 31 = 0`,
      sql`update beneficiaries set deleted_at = now() where id % 17 = 0`,
    ]
    for (const statement of written) await statement.execute(server.db)
    // Some are forgotten up to a day, whose readers borrowed again.
    await server.db.transaction().execute((trx) =>
      cutLoansOf(trx, [2, 5, 10, 17, 26, 37], {
        endedBefore: '2025-08-15',
        today,
        timezone: 'Europe/Paris',
      }),
    )
  })
  afterEach(() => boundStatements(server.environment.reads, server.environment.engine ? undefined : null))

  const whole = () => boundStatements(server.environment.reads, server.environment.engine ? 1_000_000 : null)
  const inSlices = () => boundStatements(server.environment.reads, 3)

  const told = async (paths: readonly string[]) => {
    const answers: unknown[] = []
    for (const path of paths) {
      const { status, body } = await admin.get(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      answers.push([path, Buffer.isBuffer(body) ? await linesOf(body) : body])
    }
    return answers
  }
  const expectSame = async (paths: readonly string[]) => {
    whole()
    const wanted = await told(paths)
    inSlices()
    expect(await told(paths)).toEqual(wanted)
    return wanted
  }

  const periods = [
    'start_date=2025-01-01&end_date=2025-12-31',
    'start_date=2025-07-10&end_date=2025-09-20',
    'start_date=2025-08-15&end_date=2025-08-15',
    'start_date=2019-01-01&end_date=2019-12-31',
    '',
  ]
  const ofEach = (path: string, sites: readonly number[], filters: readonly string[] = ['']) =>
    periods.flatMap((period) =>
      sites.flatMap((site) => filters.map((filter) => `${path}?site=${site}&${period}${filter}`)),
    )

  it('are the same of references, whatever they are filtered by', async () => {
    const filters = ['', '&category=1', '&category=1,2&medium=2', '&medium=3']
    await expectSame(ofEach('/api/stats/references', [0, 1, 2], filters))
  })

  it('are the same of every reference in a file, in the same order', async () => {
    const filters = ['', '&category=1', '&category=1,2&medium=2']
    await expectSame(ofEach('/api/export/stats_references', [0, 2], filters))
  })

  it('are the same of readers, those who were forgotten too', async () => {
    const answers = await expectSame(ofEach('/api/stats/beneficiaries', [0, 1, 2]))
    expect(answers).toContainEqual([
      expect.stringContaining('site=0&start_date=2025-01-01'),
      expect.objectContaining({
        active: { now: expect.toSatisfy((count: number) => count > 10), before: expect.any(Number) },
      }),
    ])
  })

  it('are the same of readers where sites keep theirs to themselves', async () => {
    await setParameter(server, 'by_site_beneficiaries', '1')
    try {
      await expectSame(ofEach('/api/stats/beneficiaries', [0, 1, 2]))
    } finally {
      await setParameter(server, 'by_site_beneficiaries', '0')
    }
  })

  it('are the same of readers one by one, in the same order', async () => {
    await expectSame(
      ['', '&page=2', '&by=contract&part=CDI', '&by=seniority&part=2', '&by=site&part=1'].flatMap((part) =>
        [0, 2].map(
          (site) =>
            `/api/stats/beneficiaries/rows?site=${site}&start_date=2025-01-01&end_date=2025-12-31${part}`,
        ),
      ),
    )
  })

  it('are the same in the yearly report', async () => {
    const reports = [2024, 2025, 2026].flatMap((year) =>
      [0, 1, 2].map((site) => `/api/stats/yearly?year=${year}&site=${site}`),
    )
    await expectSame(reports)
  })

  it('are the same one by one, in the same order, page by page', async () => {
    const { body } = await admin.get('/api/stats/yearly?year=2025&site=0')
    const told = (body as YearlyReport).tables.flatMap(({ code, rows, columns }) => [
      `site=0&table=${code}`,
      `site=0&table=${code}&page=2`,
      `site=0&table=${code}&page=9`,
      `site=2&table=${code}`,
      `site=0&table=${code}&row=${encodeURIComponent(rows.at(-1)?.key ?? '')}`,
      ...columns.slice(0, 1).map(({ key }) => `site=0&table=${code}&column=${encodeURIComponent(key)}`),
    ])
    await expectSame(told.map((asked) => `/api/stats/yearly/rows?year=2025&${asked}`))
  })
})

async function linesOf(file: Buffer): Promise<unknown[][]> {
  const lines: unknown[][] = []
  for await (const { values } of streamXlsxRows(file)) lines.push(values)
  return lines
}
