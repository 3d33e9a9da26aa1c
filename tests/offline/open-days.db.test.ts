import { randomUUID } from 'node:crypto'

import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { calendarDayOf, plusDays } from '../../src/domain/calendar-day.ts'
import { calendarOf, isOpen, type Openings } from '../../src/domain/open-days.ts'
import { forgetOpenings } from '../../src/server/library-facts/openings.ts'
import { findCopy } from '../../src/offline/counter.ts'
import { judgeLend } from '../../src/offline/judge-lend.ts'
import { knownCalendarOf } from '../../src/offline/known-library.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { describeServer } from '../support/test-server.ts'
import { freshDevice, signInWith, stillClock } from './device.ts'

const today = '2026-03-10'
const week = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 })
const closure = fc
  .record({
    site: fc.constantFrom(null, 1, 2),
    after: fc.integer({ min: 0, max: 80 }),
    length: fc.integer({ min: 0, max: 25 }),
  })
  .map(({ site, after, length }) => ({
    site,
    first_day: plusDays(today, after),
    last_day: plusDays(today, after + length),
  }))
const library = fc.record({
  weeks: fc.tuple(week, week),
  closures: fc.array(closure, { maxLength: 5 }),
  end_day: fc.option(fc.integer({ min: 1, max: 7 })),
  duration: fc.record({
    duration_value: fc.integer({ min: 1, max: 12 }),
    duration_type: fc.constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const),
  }),
  site: fc.constantFrom(1, 2),
  added: fc.integer({ min: 1, max: 6 }),
})

describeServer('a device that knows open days', (server) => {
  freshDevice()
  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const clock = stillClock()

  it('gives each loan the date that the server gives, and neither a closed day', async () => {
    const client = await server.as('biblio')
    const now = new Date(clock.at)
    expect(calendarDayOf(now, 'Europe/Paris')).toBe(today)
    await fc.assert(
      fc.asyncProperty(library, async ({ weeks, closures, end_day, duration, site, added }) => {
        await sql`truncate loanings, closures, idempotency_keys restart identity cascade`.execute(server.db)
        await sql`update copies set status = 'Disponible'`.execute(server.db)
        await sql`update media set end_day = ${end_day}`.execute(server.db)
        for (const [at, days] of weeks.entries()) {
          await sql`update sites set open_weekdays = ${days}::int[] where id = ${at + 1}`.execute(server.db)
        }
        for (const one of closures) {
          await sql`insert into closures (site, first_day, last_day, label)
            values (${one.site}, ${one.first_day}, ${one.last_day}, 'Fermeture')`.execute(server.db)
        }
        forgetOpenings(server.environment)
        const openings: Openings = {
          weeks: weeks.map((weekdays, at) => ({ site: at + 1, weekdays })),
          closures,
        }
        const calendar = calendarOf(openings, site)

        await signInWith(client, { environment_id: 1, site, user_id: 2, username: 'biblio' })
        // All that is open is known on the device, and a copy of the other site is lent at this counter too.
        await refreshSnapshot({ fetch: network, site: 0, now: clock.now })
        const known = await findCopy('1001', today)
        const judged = await judgeLend(known!, 1, today, { now, duration, site })
        const lent = await client.post(
          '/api/loanings',
          { beneficiary: 1, copy: 1, ...duration, override_reason: 'Essai' },
          { key: randomUUID(), site },
        )
        expect([lent.status, lent.body.site, lent.body.end_date]).toEqual([201, site, judged.due])
        expect(isOpen(judged.due, calendar)).toBe(true)
        expect(isOpen(judged.due, await knownCalendarOf(site))).toBe(true)
        const extended = await client.post(`/api/loanings/${lent.body.id}/extend`, {
          duration_value: added,
          override_reason: 'Essai',
        })
        expect(extended.status).toBe(200)
        expect(isOpen(extended.body.end_date, calendar)).toBe(true)
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})
