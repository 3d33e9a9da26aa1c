import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { CalendarBar, CalendarBoard, CalendarMove } from '../../src/contract/calendar.ts'
import { type Collection, membersOf, totalOf } from '../../src/contract/list.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

// Today is Tuesday 10 March 2026; the board shows the days from 8 March to 4 April.

describeServer('the board of the calendar', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(async () => {
    server.moveTo(testNow)
    await emptyTables(server.db, 'loanings', 'reservations', 'closures')
    await sql`delete from copies where id > 15`.execute(server.db)
    await sql`update copies set site = case when id <= 10 then 1 else 2 end`.execute(server.db)
  })

  const loan = (copy: number, start: string, due: string, back: string | null = null) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      select 1, c.id, c.site, ${back === null ? 'in_progress' : 'finished'}, ${start}, ${due}, ${back}, 21, 'DAY', ${start}::date, ${start}::date
      from copies c where c.id = ${copy}`.execute(server.db)
  const reserve = (reference: number, copy: number | null, first: string, last: string) =>
    sql`insert into reservations (beneficiary_id, reference_id, copy_id, start_date, end_date)
      values (2, ${reference}, ${copy}, ${first}, ${last})`.execute(server.db)
  const read = async (query = '', site?: number) => {
    const { status, body } = await admin.get(
      `/api/calendar/board?${query}`,
      site === undefined ? {} : { site },
    )
    expect(status).toBe(200)
    return body as CalendarBoard
  }
  const codes = (board: CalendarBoard) =>
    membersOf(board).map(({ title, copy }) => copy?.bar_code ?? title.name)

  it('opens on today, with what begins or ends on it first, then what is out by its end, then what comes', async () => {
    await loan(1, '2026-03-01', '2026-03-22')
    await loan(2, '2026-02-10', '2026-03-03')
    await loan(3, '2026-02-20', '2026-03-10')
    await loan(4, '2026-03-01', '2026-03-15')
    await loan(7, '2026-02-20', '2026-03-12', '2026-03-10')
    await reserve(5, 5, '2026-03-16', '2026-03-20')
    await reserve(6, null, '2026-03-10', '2026-03-12')
    await reserve(8, 8, '2026-05-01', '2026-05-02')
    const board = await read()
    expect([board.today, board.date, board.first_day, totalOf(board)]).toEqual([
      '2026-03-10',
      '2026-03-10',
      '2026-03-08',
      6,
    ])
    // Due today and reserved from today; late, then due sooner and later; to come. What came back is gone.
    expect(codes(board)).toEqual(['1003', 'Livre numéro 6', '1002', '1004', '1001', '1005'])
    expect(membersOf(board).map(({ bars }) => bars.map(daysOf))).toEqual([
      ['loan 2026-02-20 2026-03-10'],
      ['reservation 2026-03-10 2026-03-12'],
      ['overdue 2026-02-10 2026-03-10'],
      ['loan 2026-03-01 2026-03-15'],
      ['loan 2026-03-01 2026-03-22'],
      ['reservation 2026-03-16 2026-03-20'],
    ])
  })

  it('shows a past day with what was out on it', async () => {
    await loan(7, '2026-02-01', '2026-02-22', '2026-02-20')
    await loan(8, '2026-02-01', '2026-02-22', '2026-02-10')
    const board = await read('date=2026-02-15')
    expect([board.first_day, codes(board)]).toEqual(['2026-02-13', ['1007']])
    expect(membersOf(board)[0]?.bars.map(daysOf)).toEqual(['returned 2026-02-01 2026-02-20'])
  })

  it('has forty rows a page', async () => {
    await sql`insert into copies (reference, bar_code, site) select 1, 'LOT' || lpad(n::text, 2, '0'), 1 from generate_series(1, 41) n`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 1, c.id, 1, 'in_progress', '2026-03-01', '2026-03-22', 21, 'DAY', now(), now() from copies c where c.bar_code like 'LOT%'`.execute(
      server.db,
    )
    const [first, second] = [await read(), await read('page=2')]
    expect([totalOf(first), membersOf(first).length]).toEqual([41, 40])
    expect([totalOf(second), codes(second)]).toEqual([41, ['LOT41']])
  })

  it('says on which days its sites are closed', async () => {
    await loan(1, '2026-03-01', '2026-03-22')
    await admin.post('/api/closures', {
      site: 1,
      first_day: '2026-03-12',
      last_day: '2026-03-13',
      label: 'Inventaire',
    })
    expect((await read()).closed).toEqual([{ site: 1, days: ['2026-03-12', '2026-03-13'] }])
  })

  it('keeps to the copies of the chosen site', async () => {
    await loan(1, '2026-03-01', '2026-03-22')
    await loan(11, '2026-03-01', '2026-03-22')
    expect(codes(await read('', 2))).toEqual(['2001'])
  })

  const moves = async (query = '') => {
    const { status, body } = await admin.get(`/api/calendar/moves?${query}`)
    expect(status).toBe(200)
    const { departures, returns } = body as Record<'departures' | 'returns', Collection<CalendarMove>>
    const told = ({ title, copy, bar, is_done }: CalendarMove) =>
      `${copy?.bar_code ?? title.name} ${bar.state}${is_done ? ' done' : ''}`
    return { departures: membersOf(departures).map(told), returns: membersOf(returns).map(told) }
  }

  it('tells what leaves and what comes back on a day, what is waited for first', async () => {
    await loan(1, '2026-03-10', '2026-03-31')
    await loan(2, '2026-02-20', '2026-03-10')
    await loan(3, '2026-02-20', '2026-03-12', '2026-03-10')
    await loan(4, '2026-02-10', '2026-03-03')
    await reserve(5, 5, '2026-03-10', '2026-03-20')
    await reserve(6, null, '2026-03-10', '2026-03-12')
    expect(await moves()).toEqual({
      departures: ['1005 reservation', 'Livre numéro 6 reservation', '1001 loan done'],
      returns: ['1002 loan', '1003 returned done'],
    })
    expect(await moves('date=2026-03-03')).toEqual({ departures: [], returns: ['1004 overdue'] })
  })

  it('is refused a day that does not exist, and closed to who may not see the calendar', async () => {
    for (const call of ['board', 'moves']) {
      expect((await admin.get(`/api/calendar/${call}?date=2026-02-30`)).status).toBe(400)
      expect((await (await server.as('lecture')).get(`/api/calendar/${call}`)).status).toBe(403)
    }
  })
})

const daysOf = ({ state, first_day, last_day }: CalendarBar) => `${state} ${first_day} ${last_day}`
