import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, expect, it, vi } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import { createApp } from '../../src/server/app.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { loadDemonstration } from '../../src/server/demonstration/load-demonstration.ts'
import { cutLoansOf, measureCuts } from '../../src/server/erasure/cut-loans.ts'
import { forgetOfToday } from '../../src/server/erasure/forget-of-today.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { emptyStorage } from '../support/databases.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, clientOf, describeServer, testNow } from '../support/test-server.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

const today = testNow.slice(0, 10)
const timezone = 'Europe/Paris'

describeServer('forgetting readers', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  const forgetAll = async (people: readonly number[]) =>
    server.db.transaction().execute((trx) => cutLoansOf(trx, people, { endedBefore: null, today, timezone }))

  it('changes no count of borrowers, in whatever order loans are cut and new ones made', async () => {
    await emptyTables(server.db, 'loanings')
    await sql`create table whose (loaning integer primary key, reader integer not null)`.execute(server.db)
    const random = drawn(20260310)
    const sites = [1, 2]
    const { rows: copies } = await sql<{ id: number; site: number }>`
      select id, site from copies where site = any(${sites}::int[]) and deleted_at is null order by id`.execute(
      server.db,
    )
    const { rows: known } = await sql<{
      id: number
    }>`select id from beneficiaries order by id limit 5`.execute(server.db)
    const readers = known.map(({ id }) => id)
    const lend = async (day: string) => {
      const copy = copies[random(copies.length)]!
      const reader = readers[random(readers.length)]!
      // Some are back much later than others, so that they are cut in another order than they were made.
      const back = random(4) === 0 ? plusDays(day, 60) : plusDays(day, random(5))
      const status = random(8) === 0 ? 'cancelled' : 'finished'
      await sql`
        with made as (
          insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
          values (${reader}, ${copy.id}, ${copy.site}, ${status}, ${day}, ${plusDays(day, 70)},
            ${status === 'finished' ? back : null}, 21, 'DAY', ${day}::date, ${day}::date) returning id)
        insert into whose (loaning, reader) select id, ${reader} from made`.execute(server.db)
    }
    const compare = async () => {
      for (const site of [0, ...sites]) {
        const from = plusDays('2025-01-01', random(300))
        const until = plusDays(from, random(200))
        const { rows } = await sql<{ count: number }>`
          select count(distinct w.reader)::int as count from loanings l join whose w on w.loaning = l.id
          where l.start_date between ${from} and ${until} and l.status <> 'cancelled'
            and ${site === 0 ? sql`true` : sql`l.site = ${site}`}`.execute(server.db)
        const { body } = await admin.get(
          `/api/stats/beneficiaries?site=${site}&start_date=${from}&end_date=${until}`,
        )
        expect({ site, from, until, active: body.active.now }).toEqual({
          site,
          from,
          until,
          active: rows[0]?.count,
        })
      }
    }
    for (let day = 0; day < 300; day += 1 + random(3)) {
      const now = plusDays('2025-01-01', day)
      await lend(now)
      if (random(3) === 0) await lend(now)
      if (random(6) === 0) {
        const people = readers.filter(() => random(2) === 0)
        await server.db
          .transaction()
          .execute((trx) =>
            cutLoansOf(trx, people, { endedBefore: plusDays(now, -random(40)), today: now, timezone }),
          )
      }
      if (day % 5 === 0) await compare()
    }
    await forgetAll(readers)
    for (let time = 0; time < 10; time++) await compare()
    const { rows } =
      await sql`select from loanings where beneficiary is not null or relative is not null`.execute(server.db)
    expect(rows).toHaveLength(0)
  })

  it('changes no figure of the demonstration', async () => {
    const { settings, drop } = await emptyStorage()
    const environment = await openEnvironment(settings, 1)
    try {
      await seedEnvironment(environment.db, 'mot-de-passe-admin')
      await loadDemonstration(environment, { today })
      const { db } = environment
      const session = randomBytes(32).toString('base64url')
      await sql`insert into sessions (token_hash, user_id, created_at, last_used_at)
        values (${hashToken(session)}, 1, ${testNow}, ${testNow})`.execute(db)
      const app = createApp({
        environments: [environment],
        logger: pino({ level: 'silent' }),
        now: () => new Date(testNow),
      })
      const client = clientOf(app, session)
      const figures = async () => {
        const told = new Map<string, unknown>()
        for (const [from, until] of periods) {
          for (const site of [0, 1, 2]) {
            for (const call of [
              'activity',
              'beneficiaries',
              'references',
              'loanings',
              'loanings?delay=late',
              'active',
            ]) {
              const period = call === 'active' ? '' : `&start_date=${from}&end_date=${until}`
              const path = `/api/stats/${call}${call.includes('?') ? '&' : '?'}site=${site}${period}`
              const { status, body } = await client.get(path)
              expect({ path, status }).toEqual({ path, status: 200 })
              // Who borrows most is told by name.
              told.set(path, call === 'beneficiaries' ? { ...body, tops: null } : body)
            }
          }
        }
        return told
      }
      const first = await figures()
      const active = first.get('/api/stats/beneficiaries?site=0&start_date=2025-04-01&end_date=2026-03-10')
      expect((active as { active: { now: number } }).active.now).toBeGreaterThan(20)

      await sql`insert into forgetting_agreements (user_id, agreed_at) values (1, now())`.execute(db)
      await forgetOfToday(environment, { now: () => new Date(testNow) })
      const { rows: days } = await sql<{
        loans: number
        readers: number
      }>`select loans, readers from forgetting_days where ended_at is not null`.execute(db)
      expect(days[0]?.loans).toBeGreaterThan(100)
      expect(await figures()).toEqual(first)

      const { rows: people } = await sql<{ id: number }>`select id from beneficiaries order by id`.execute(db)
      const some = people.map(({ id }) => id).filter((id) => id % 2 === 0)
      for (const which of [some, people.map(({ id }) => id)]) {
        await db
          .transaction()
          .execute((trx) => cutLoansOf(trx, which, { endedBefore: null, today, timezone }))
        await measureCuts(db)
        expect(await figures()).toEqual(first)
      }
    } finally {
      await environment.close()
      await drop()
    }
  })
})

const periods = [
  ['2026-03-01', '2026-03-31'],
  ['2026-02-01', '2026-02-28'],
  ['2025-11-15', '2026-01-20'],
  ['2025-04-01', '2026-03-10'],
  ['2025-01-01', '2025-12-31'],
]

/** Whole numbers below what is asked, that look drawn by lot, the same at each run. */
function drawn(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
