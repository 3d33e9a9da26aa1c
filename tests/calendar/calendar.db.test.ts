import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { Calendar, CalendarBar } from '../../src/contract/calendar.ts'
import { createApp } from '../../src/server/app.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { StatementRecorder } from '../bench/scale/captured-statements.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, clientOf, describeServer, testNow } from '../support/test-server.ts'

// Today is Tuesday 10 March 2026; weeks begin on Thursdays, so those shown begin on 19 February.

describeServer('the calendar', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(async () => {
    server.moveTo(testNow)
    await emptyTables(server.db, 'loanings', 'reservations', 'closures')
    await sql`delete from copies where id > 15`.execute(server.db)
    await sql`update copies set status = 'Disponible', type = 'Location', site = case when id <= 10 then 1 else 2 end`.execute(
      server.db,
    )
    await sql`update media set start_day = null`.execute(server.db)
    await setParameter(server, 'calendar_week_day', '4')
  })

  const asked = async (query: Record<string, string>, client = admin, site?: number) => {
    const search = new URLSearchParams(query)
    return client.get(`/api/calendar?${search}`, site === undefined ? {} : { site })
  }
  const read = async (query: Record<string, string>, client = admin, site?: number) => {
    const { status, body } = await asked(query, client, site)
    expect(status).toBe(200)
    return body as Calendar
  }
  const titles = (calendar: Calendar) => calendar['hydra:member'].map(({ name }) => name)
  const barsOf = (calendar: Calendar, copy: number): CalendarBar[] =>
    calendar['hydra:member'].flatMap(({ copies }) => copies).find(({ id }) => id === copy)?.bars ?? []
  const loan = (copy: number, start: string, due: string, more: { back?: string; reader?: number } = {}) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      select ${more.reader ?? 1}, c.id, c.site, ${more.back === undefined ? 'in_progress' : 'finished'}, ${start}, ${due}, ${more.back ?? null}, 21, 'DAY', ${start}::date, ${start}::date
      from copies c where c.id = ${copy}`.execute(server.db)
  const reserve = (reference: number, more: object = {}) =>
    server.db
      .insertInto('reservations')
      .values({
        beneficiary_id: 2,
        reference_id: reference,
        copy_id: null,
        site: null,
        start_date: null,
        end_date: null,
        queue_position: null,
        cycle_value: null,
        set_aside_copy: null,
        set_aside_at: null,
        pickup_until: null,
        fulfilled_by: null,
        deleted_at: null,
        ...more,
      })
      .execute()

  it('shows twelve weeks from two before the current one, which begin on the library’s weekday', async () => {
    expect(await read({ reference: 'livre' })).toMatchObject({ today: '2026-03-10', first_day: '2026-02-19' })
    expect((await read({ reference: 'livre', weeks: '2', date: '2026-04-02' })).first_day).toBe('2026-04-02')
    await setParameter(server, 'calendar_week_day', '1')
    expect((await read({ reference: 'livre' })).first_day).toBe('2026-02-23')
  })

  it('has a block a reference and a line a copy: returned, reserved, lent, late, each with its days', async () => {
    await sql`insert into copies (reference, bar_code, site) values (1, '1001-B', 1), (1, '1001-C', 1), (1, 'VENTE', 1)`.execute(
      server.db,
    )
    await sql`update copies set type = 'Vente' where bar_code = 'VENTE'`.execute(server.db)
    await loan(1, '2026-02-01', '2026-02-25', { back: '2026-02-27' })
    await loan(1, '2026-03-01', '2026-03-22')
    const { rows: copies } = await sql<{
      id: number
    }>`select id from copies where reference = 1 order by id`.execute(server.db)
    const second = copies[1]?.id ?? 0
    const third = copies[2]?.id ?? 0
    await loan(second, '2026-02-10', '2026-03-03', { reader: 2 })
    await reserve(1, { copy_id: third, start_date: '2026-03-16', end_date: '2026-03-20' })
    await reserve(1, { start_date: '2026-04-01', end_date: '2026-04-05' })
    await reserve(1, { queue_position: 1 })

    const [block, ...others] = (await read({ reference: 'livre numéro 1' }))['hydra:member']
    expect(others.map(({ name }) => name)).toEqual(['Livre numéro 10'])
    expect(block).toMatchObject({ name: 'Livre numéro 1', category: 'Roman', medium: 'Livre', waiting: 1 })
    expect(block?.copies.map(({ bar_code, bars }) => [bar_code, bars.map(daysOf)])).toEqual([
      ['1001', ['returned 2026-02-01 2026-02-27', 'loan 2026-03-01 2026-03-22']],
      // What is late is out until today.
      ['1001-B', ['overdue 2026-02-10 2026-03-10']],
      ['1001-C', ['reservation 2026-03-16 2026-03-20']],
    ])
    // What is reserved without a copy is any copy's: it stands on the block's head.
    expect(block?.bars.map(daysOf)).toEqual(['reservation 2026-04-01 2026-04-05'])
    expect(block?.copies[1]?.bars).toMatchObject([
      { due: '2026-03-03', beneficiary: 2, beneficiary_name: 'Éric Dupont (M2)' },
    ])
  })

  it('shows a copy that is set aside as reserved, from that day to the last to fetch it', async () => {
    await reserve(1, {
      status: 'confirmed',
      set_aside_copy: 1,
      set_aside_at: testNow,
      pickup_until: '2026-03-17',
    })
    expect(barsOf(await read({ bar_code: '1001' }), 1).map(daysOf)).toEqual([
      'reservation 2026-03-10 2026-03-17',
    ])
  })

  it('leaves out what is cancelled, refused, served or outside these weeks', async () => {
    await loan(1, '2025-10-01', '2025-10-22', { back: '2025-10-20' })
    await loan(2, '2026-03-01', '2026-03-22')
    await sql`update loanings set status = 'cancelled' where copy = 2`.execute(server.db)
    for (const status of ['canceled', 'refused'])
      await reserve(1, { copy_id: 1, start_date: '2026-03-16', end_date: '2026-03-20', status })
    const calendar = await read({ reference: 'livre' })
    expect(
      calendar['hydra:member'].flatMap(({ bars, copies }) => [bars, copies.map((one) => one.bars)]).flat(2),
    ).toEqual([])
    expect(barsOf(await read({ reference: 'livre', weeks: '-20' }), 1).map(daysOf)).toEqual([
      'returned 2025-10-01 2025-10-20',
    ])
  })

  it('is not searched by too little', async () => {
    const { status, body } = await asked({ reference: 'li', category: 'r', bar_code: ' ' })
    expect([status, body.message]).toEqual([
      400,
      'La recherche demande plus de 2 caractères de la référence, plus de 1 de la catégorie, un code-barres ou une date.',
    ])
  })

  it.each([
    [{ weeks: '1.5', date: '2026-03-10' }, 'weeks'],
    [{ weeks: '999', date: '2026-03-10' }, 'weeks'],
    [{ date: '2026-02-30' }, 'date'],
    [{ reference: 'a'.repeat(201) }, 'reference'],
    [{ titre: 'livre' }, 'titre'],
  ])('refuses %j in a sentence', async (query, field) => {
    const { status, body } = await asked(query)
    expect(status).toBe(400)
    expect(body.message).toContain(field)
  })

  it('is searched by part of a title or author, by category, by code and by day', async () => {
    expect(titles(await read({ reference: 'numéro 3' }))).toEqual(['Film numéro 3', 'Livre numéro 3'])
    expect(titles(await read({ reference: 'varda' }))).toHaveLength(5)
    expect(titles(await read({ category: 'FI' }))).toHaveLength(5)
    expect(titles(await read({ reference: 'numéro 3', category: 'rom' }))).toEqual(['Livre numéro 3'])
    // The copy's, as it was scanned, else the reference's.
    expect(titles(await read({ bar_code: '1004' }))).toEqual(['Livre numéro 4'])
    expect(titles(await read({ bar_code: 'L7' }))).toEqual(['Livre numéro 7'])
    expect(titles(await read({ bar_code: 'inconnu' }))).toEqual([])
  })

  it('finds by a day alone what is out or reserved on it, and by a day with more only the weeks', async () => {
    await loan(1, '2026-03-01', '2026-03-22')
    await loan(2, '2026-02-10', '2026-03-03')
    await loan(3, '2026-02-01', '2026-02-22', { back: '2026-02-20' })
    await reserve(4, { start_date: '2026-03-20', end_date: '2026-03-25' })
    expect(titles(await read({ date: '2026-03-10' }))).toEqual(['Livre numéro 1', 'Livre numéro 2'])
    expect(titles(await read({ date: '2026-02-15' }))).toEqual(['Livre numéro 2', 'Livre numéro 3'])
    expect(titles(await read({ date: '2026-03-21' }))).toEqual(['Livre numéro 1', 'Livre numéro 4'])
    expect(titles(await read({ date: '2026-03-21', category: 'film' }))).toHaveLength(5)
  })

  it('tells fifty references at most, by title, and that there are more', async () => {
    await sql`insert into "references" (name, code, category, medium)
      select 'Titre de trop ' || lpad(n::text, 2, '0'), 'T' || n, 1, 1 from generate_series(1, 51) n`.execute(
      server.db,
    )
    await sql`insert into copies (reference, bar_code, site)
      select id, 'COPIE' || code, 1 from "references" where name like 'Titre de trop%'`.execute(server.db)
    try {
      const calendar = await read({ reference: 'de trop' })
      expect([calendar.is_cut, calendar['hydra:totalItems'], titles(calendar).at(-1)]).toEqual([
        true,
        50,
        'Titre de trop 50',
      ])
      expect(await read({ reference: 'trop 0' })).toMatchObject({ is_cut: false, 'hydra:totalItems': 14 })
    } finally {
      await sql`delete from copies where bar_code like 'COPIE%'`.execute(server.db)
      await sql`delete from "references" where name like 'Titre de trop%'`.execute(server.db)
    }
  })

  it('says on which days each site is closed', async () => {
    await sql`update sites set open_weekdays = '{2,3,4,5,6}' where id = 1`.execute(server.db)
    await admin.post('/api/closures', {
      site: null,
      first_day: '2026-04-03',
      last_day: '2026-04-04',
      label: 'Pâques',
    })
    try {
      const closed = new Map(
        (await read({ reference: 'numéro' })).closed.map(({ site, days }) => [site, days]),
      )
      expect(closed.get(2)).toEqual(['2026-04-03', '2026-04-04'])
      // Sundays and Mondays of twelve weeks, and the two days.
      expect(closed.get(1)).toHaveLength(26)
      expect(closed.get(1)).toContain('2026-03-08')
    } finally {
      await sql`update sites set open_weekdays = '{1,2,3,4,5,6,7}'`.execute(server.db)
    }
  })

  it('says on which weekday reservations of a medium begin', async () => {
    await sql`update media set start_day = 5 where id = 1`.execute(server.db)
    expect((await read({ bar_code: '1001' }))['hydra:member']).toMatchObject([{ start_day: 5 }])
  })

  it('keeps to the copies of the chosen site', async () => {
    expect(titles(await read({ reference: 'numéro' }, admin, 2))).toEqual(
      [1, 2, 3, 4, 5].map((n) => `Film numéro ${n}`),
    )
    await sql`insert into copies (reference, bar_code, site) values (1, '1001-D', 2)`.execute(server.db)
    const [block] = (await read({ bar_code: '1001-D' }, admin, 2))['hydra:member']
    expect(block?.copies.map(({ bar_code }) => bar_code)).toEqual(['1001-D'])
    expect(titles(await read({ bar_code: '1001' }, admin, 2))).toEqual([])
  })

  it('keeps as reserved what is set aside, though nobody came in time', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id, status, set_aside_copy, set_aside_at, pickup_until)
      values (1, 3, 'confirmed', 3, '2026-02-20', '2026-03-04')`.execute(server.db)
    expect(barsOf(await read({ bar_code: '1003' }), 3).map(daysOf)).toEqual([
      'reservation 2026-02-20 2026-03-10',
    ])
  })

  it('says of a day that is too far that there is none', async () => {
    const answer = await admin.get('/api/calendar?date=9999-12-31&weeks=520')
    expect(answer).toMatchObject({ status: 400 })
  })

  it('is for who may see it, and names readers only to who may know them', async () => {
    await loan(1, '2026-03-01', '2026-03-22')
    await reserve(2, { copy_id: 2, start_date: '2026-03-16', end_date: '2026-03-20' })
    const { status } = await asked({ reference: 'livre' }, await server.as('lecture'))
    expect(status).toBe(403)
    const volunteer = await server.as('benevole')
    const { rows } = await sql<{ right_code: string }>`
      delete from profile_rights where right_code in ('LIST_BENEFICIARIES', 'LIST_LOANINGS', 'LIST_RESERVATIONS')
        and profile = (select id from profiles where name = 'Bénévole') returning right_code`.execute(
      server.db,
    )
    try {
      const calendar = await read({ reference: 'livre' }, volunteer)
      expect(barsOf(calendar, 1)).toMatchObject([{ state: 'loan', beneficiary_name: null }])
      expect(barsOf(calendar, 2)).toMatchObject([{ state: 'reservation', beneficiary_name: null }])
    } finally {
      await sql`insert into profile_rights (profile, right_code)
        select p.id, code from profiles p, unnest(${rows.map(({ right_code }) => right_code)}::text[]) code where p.name = 'Bénévole'`.execute(
        server.db,
      )
    }
  })

  it('shows returned loans of today alone to who may not see the history', async () => {
    await loan(1, '2026-02-20', '2026-03-22', { back: '2026-03-05' })
    await loan(2, '2026-02-20', '2026-03-22', { back: '2026-03-10' })
    const everything = await read({ reference: 'livre' })
    expect([barsOf(everything, 1).length, barsOf(everything, 2).length]).toEqual([1, 1])
    const kept =
      await sql`delete from profile_rights where right_code = 'BENEFICIARY_HISTORY' returning *`.execute(
        server.db,
      )
    try {
      const today = await read({ reference: 'livre' })
      expect([barsOf(today, 1).length, barsOf(today, 2).length]).toEqual([0, 1])
    } finally {
      await sql`insert into profile_rights select * from json_populate_recordset(null::profile_rights, ${JSON.stringify(kept.rows)})`.execute(
        server.db,
      )
    }
  })

  it('takes one statement, however many references and weeks there are', async () => {
    for (let copy = 1; copy <= 10; copy += 1) await loan(copy, '2026-03-01', '2026-03-22')
    // Long reads have connections of their own: they are counted on those that are listened to.
    const { environment } = server
    const listened = createApp({
      environments: [{ ...environment, reads: environment.db }],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
    })
    const client = clientOf(listened, admin.token)
    await read({ reference: 'livre' }, client)
    const { result, statements } = await new StatementRecorder(environment.pool).record(() =>
      read({ reference: 'livre' }, client),
    )
    expect(result['hydra:member'].flatMap(({ copies }) => copies.flatMap(({ bars }) => bars))).toHaveLength(
      10,
    )
    // And one that asks who calls.
    expect(statements.map(({ text }) => text)).toHaveLength(2)
  })
})

const daysOf = ({ state, first_day, last_day }: CalendarBar) => `${state} ${first_day} ${last_day}`
