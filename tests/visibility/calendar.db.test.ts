import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { Calendar } from '../../src/contract/calendar.ts'
import { type Collection, membersOf } from '../../src/contract/list.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

describeServer('the calendar of a person of one site', (server) => {
  let people: TwoSites
  beforeAll(async () => (people = await openTwoSites(server)))
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, true)
    // Of copies of Annexe (11 to 14): Alice of Centre has one, and another was lent at Centre and came back.
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, 11, 2, 'in_progress', '2026-03-01', '2026-03-08', null, 7, 'DAY', now(), now()),
        (2, 12, 1, 'in_progress', '2026-03-01', '2026-03-28', null, 7, 'DAY', now(), now()),
        (2, 13, 1, 'finished', '2026-03-01', '2026-03-08', '2026-03-05', 7, 'DAY', now(), now()),
        (4, 14, 2, 'in_progress', '2026-03-01', '2026-03-28', null, 7, 'DAY', now(), now())`.execute(
      server.db,
    )
    await sql`insert into reservations (beneficiary_id, reference_id, copy_id, start_date, end_date, site)
      values (1, 15, 15, '2026-03-16', '2026-03-20', 1)`.execute(server.db)
  })

  it('shows what is out of its own copies, and names nobody of the other site', async () => {
    for (const search of [
      'reference=num%C3%A9ro',
      'category=fi',
      'date=2026-03-04',
      'date=2026-03-18',
      'bar_code=2001',
    ]) {
      expectNobodyNamed(await people.annexe.get(`/api/calendar?${search}`))
    }
    for (const date of ['2026-03-01', '2026-03-05', '2026-03-08', '2026-03-10', '2026-03-16', '2026-03-28']) {
      expectNobodyNamed(await people.annexe.get(`/api/calendar/board?date=${date}`))
      expectNobodyNamed(await people.annexe.get(`/api/calendar/moves?date=${date}`))
    }
    const { body } = await people.annexe.get('/api/calendar?category=film')
    const bars = (body as Calendar)['hydra:member'].flatMap(({ copies }) =>
      copies.flatMap((copy) =>
        copy.bars.map((bar) => [copy.id, bar.state, bar.beneficiary, bar.beneficiary_name]),
      ),
    )
    expect(bars).toEqual([
      [11, 'overdue', 1, 'Lecteur d’un autre site'],
      [12, 'loan', null, 'Lecteur d’un autre site'],
      [14, 'loan', 4, 'Jean Sans-Courriel (M4)'],
      [15, 'reservation', 1, 'Lecteur d’un autre site'],
    ])
  })

  it('shows copies of its site alone', async () => {
    for (const search of ['reference=livre', 'bar_code=1001', 'bar_code=L1', 'category=roman']) {
      const { status, body } = await people.annexe.get(`/api/calendar?${search}`)
      expect([search, status, body['hydra:totalItems']]).toEqual([search, 200, 0])
    }
  })

  it('has on its board and in its day’s moves what is of its copies, and of no other’s', async () => {
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, 1, 1, 'in_progress', '2026-03-10', '2026-03-28', null, 7, 'DAY', now(), now())`.execute(
      server.db,
    )
    await sql`insert into reservations (beneficiary_id, reference_id, start_date, end_date, site)
      values (2, 3, '2026-03-10', '2026-03-20', 1)`.execute(server.db)
    const copiesOf = async (address: string, list?: string) => {
      const { body } = await people.annexe.get(address)
      const told = (list === undefined ? body : body[list]) as Collection<{ copy: { id: number } | null }>
      return membersOf(told).map(({ copy }) => copy?.id)
    }
    expect(await copiesOf('/api/calendar/board')).toEqual([11, 12, 14, 15])
    expect(await copiesOf('/api/calendar/moves', 'departures')).toEqual([])
    expect(await copiesOf('/api/calendar/moves?date=2026-03-28', 'returns')).toEqual([12, 14])
  })
})
