import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import { cutLoansOf } from '../../src/server/erasure/cut-loans.ts'
import { foldTallies } from '../../src/server/housekeeping/housekeeping.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { expectTalliesTrue } from '../support/loan-tallies.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

vi.setConfig({ testTimeout: 300_000 })

const today = testNow.slice(0, 10)

describeServer('tallies of figures', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(() => emptyTables(server.db, 'loanings'))

  const lend = (copy: number, start: string, more: { due?: string; back?: string } = {}) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type,
        amount, lent_at, lent_received_at, audience, age_band)
      select 1 + c.id % 4, c.id, c.site, ${more.back === undefined ? 'in_progress' : 'finished'}, ${start}, ${more.due ?? plusDays(start, 21)},
        ${more.back ?? null}, 21, 'DAY', 0.25 * (c.id % 3), ${start}::date, ${start}::date,
        (array['adult', 'youth', null])[1 + c.id % 3], (array['0-5', '25-64', null])[1 + c.id % 3]
      from copies c where c.id = ${copy} and not exists (select from loanings l where l.copy = c.id and l.status = 'in_progress')`.execute(
      server.db,
    )

  it('are what counting says, whatever happens to loans, titles and copies', async () => {
    const random = drawn(20260311)
    const day = () => plusDays('2025-06-01', random(280))
    const loan = sql`(select id from loanings order by hashint4(id + ${random(1000)}::int) limit 1)`
    const acts: (() => Promise<unknown>)[] = [
      () => lend(1 + random(12), day()),
      () => {
        const start = day()
        return lend(1 + random(12), start, { back: plusDays(start, random(40)) })
      },
      () =>
        sql`update loanings set status = 'finished', return_date = start_date + ${random(40)}::int
        where id = ${loan} and status = 'in_progress'`.execute(server.db),
      () =>
        sql`update loanings set end_date = end_date + ${random(20)}::int where id = ${loan}`.execute(
          server.db,
        ),
      () =>
        sql`update loanings set status = 'cancelled', return_date = null where id = ${loan}`.execute(
          server.db,
        ),
      () =>
        sql`update loanings l set status = 'in_progress', return_date = null where id = ${loan} and beneficiary is not null and deleted_at is null
        and not exists (select from loanings o where o.copy = l.copy and o.status = 'in_progress')`.execute(
          server.db,
        ),
      () =>
        sql`update loanings set deleted_at = now() where id = ${loan} and status <> 'in_progress'`.execute(
          server.db,
        ),
      () =>
        sql`update loanings set deleted_at = null, amount = amount + 1 where id = ${loan}`.execute(server.db),
      () =>
        sql`delete from loanings where id = ${loan} and not exists (select from cut_loans k where k.loaning = loanings.id)`.execute(
          server.db,
        ),
      () =>
        sql`update "references" set medium = nullif(${random(3)}::int, 0), category = nullif(${random(3)}::int, 0)
        where id % 3 = ${random(3)}`.execute(server.db),
      () =>
        sql`update copies set reference = ${1 + random(12)} where id = ${1 + random(12)}`.execute(server.db),
      () =>
        server.db
          .transaction()
          .execute((trx) =>
            cutLoansOf(trx, [1 + random(4)], { endedBefore: null, today, timezone: 'Europe/Paris' }),
          ),
      () => foldTallies(server.db),
    ]
    for (let turn = 0; turn < 260; turn += 1) {
      await acts[turn % 3 === 0 ? random(2) : random(acts.length)]!()
      await expectTalliesTrue(server.db)
    }
    await expectFiguresTrue(random)
  })

  const expectFiguresTrue = async (random: (below: number) => number) => {
    for (let time = 0; time < 12; time += 1) {
      const from = plusDays('2025-06-01', random(200))
      const until = plusDays(from, random(200))
      const site = random(3)
      const { body } = await admin.get(
        `/api/stats/loanings?site=${site}&start_date=${from}&end_date=${until}`,
      )
      const { rows } = await sql<{ now: number; late: number }>`
        select count(*)::int as now, (count(*) filter (where coalesce(return_date, ${today}) > end_date))::int as late
        from loanings where start_date between ${from} and ${until} and deleted_at is null and status <> 'cancelled'
          and ${site} in (0, site)`.execute(server.db)
      expect({ from, until, site, now: body.loans.now, late: body.late.now }).toEqual({
        from,
        until,
        site,
        ...rows[0],
      })
    }
    for (const year of [2025, 2026]) {
      const { body } = await admin.get(`/api/stats/yearly?year=${year}&site=0`)
      for (const table of ['loans', 'loans_by_age']) {
        const told = body.tables.find(({ code }: { code: string }) => code === table)
        const rows = await admin.get(`/api/stats/yearly/rows?year=${year}&site=0&table=${table}`)
        const sum = told.cells.reduce((all: number, { count }: { count: number }) => all + count, 0)
        expect({ year, table, sum }).toEqual({ year, table, sum: rows.body['hydra:totalItems'] })
      }
    }
  }

  it('tell of a year that is not over no loan of after today', async () => {
    await lend(1, today)
    await lend(2, plusDays(today, 1))
    const { body } = await admin.get('/api/stats/yearly?year=2026&site=0')
    const { cells } = body.tables.find(({ code }: { code: string }) => code === 'loans')
    expect(cells.map(({ count }: { count: number }) => count)).toEqual([1])
  })
})

/** Whole numbers below what is asked, that look drawn by lot, the same at each run. */
function drawn(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
