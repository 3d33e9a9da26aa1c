import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'
import { clearCounter } from './two-sites.ts'

const ids = ({ body }: Answer): number[] => body['hydra:member'].map(({ id }: { id: number }) => id)

// On 2026-03-10 at 9 h, Alice's loans are 1 open, 2 returned today, 3 yesterday, 4 years ago, 5 cancelled
// today, and 6 returned at 0:30 of today, which is yesterday in UTC.
describeServer('the history of loans, for those who may not read it', (server) => {
  const clients: Record<string, Client> = {}
  beforeAll(async () => {
    for (const name of ['admin', 'biblio', 'benevole', 'lecture']) clients[name] = await server.as(name)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, returned_at, status,
        duration_value, duration_type, lent_at, lent_received_at, lent_by)
      select 1, copy, 1, start_date::date, '2026-03-20', return_date::date, returned_at::timestamptz, status, 1, 'DAY',
        '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z', 1
      from (values (1, '2026-03-01', null, null, 'in_progress'), (2, '2026-03-01', '2026-03-10', '2026-03-10T08:00:00Z', 'finished'),
        (3, '2026-03-01', '2026-03-09', '2026-03-09T08:00:00Z', 'finished'),
        (4, '2020-03-01', '2020-03-09', '2020-03-09T08:00:00Z', 'finished'), (5, '2026-03-10', null, null, 'cancelled'),
        (6, '2026-03-01', '2026-03-10', '2026-03-09T23:30:00Z', 'finished'))
        l (copy, start_date, return_date, returned_at, status)`.execute(server.db)
    await sql`update copies set status = 'En Location' where id = 1`.execute(server.db)
  })
  const list = (name: string, query = '') => clients[name]!.get(`/api/loanings?order[id]=asc&${query}`)

  it.each(['benevole', 'lecture'])('holds open loans and those returned today for %s', async (name) => {
    expect(ids(await list(name))).toEqual([1, 2, 6])
    for (const id of [1, 2, 6]) expect((await clients[name]!.get(`/api/loanings/${id}`)).status).toBe(200)
    for (const id of [3, 4, 5]) expect((await clients[name]!.get(`/api/loanings/${id}`)).status).toBe(404)
  })

  it.each(['admin', 'biblio'])('is whole for %s', async (name) => {
    expect(ids(await list(name))).toEqual([1, 2, 3, 4, 5, 6])
    expect((await list(name)).body['hydra:totalItems']).toBe(6)
  })

  it.each(['return', 'undo'])('is not told by « %s » of a loan by its number', async (verb) => {
    for (const id of [3, 4, 5]) {
      const { status, body } = await clients['benevole']!.post(`/api/loanings/${id}/${verb}`, {})
      expect(status).toBe(409)
      expect(JSON.stringify(body)).not.toMatch(/Livre|Martin|100\d/)
    }
    const told = await clients['biblio']!.post(`/api/loanings/3/return`, {})
    expect(told).toMatchObject({
      status: 409,
      body: { message: '«\u00a0Livre numéro 3\u00a0» est déjà rendu.' },
    })
  })

  // By tallies, by counting, by every way of naming what is out of sight.
  const queries: [query: string, seen: number[]][] = [
    ['', [1, 2, 6]],
    ['status=in_progress', [1]],
    ['status=finished', [2, 6]],
    ['status=cancelled', []],
    ['filters[status|in]=finished,cancelled', [2, 6]],
    ['filters[status|nil]=0', [1, 2, 6]],
    ['site=1', [1, 2, 6]],
    ['site=2', []],
    ['status=finished&site=1', [2, 6]],
    ['start_date|gte=2026-03-01&start_date|lte=2026-03-01', [1, 2, 6]],
    ['start_date|lte=2021-01-01', []],
    ['beneficiary=1', [1, 2, 6]],
    ['benefsearchname=martin', [1, 2, 6]],
    ['copy=3', []],
    ['copy_barcode=1004', []],
    ['referencesearchname=livre', [1, 2, 6]],
    ['filters[return_date|lte]=2026-03-09', []],
    ['filters[return_date|gte]=2020-01-01', [2, 6]],
    ['filters[return_date|nil]=1', [1]],
    ['filters[id|in]=3,4,5', []],
    ['islate=0', [1, 2, 6]],
  ]
  it.each(queries)('is not reached by « %s », nor counted', async (query, seen) => {
    const answer = await list('benevole', query)
    expect(ids(answer)).toEqual(seen)
    expect(answer.body['hydra:totalItems']).toBe(seen.length)
  })

  it('is not walked through by pages and orders', async () => {
    for (const order of ['return_date', 'start_date', 'end_date', 'status', 'amount', 'reference_name']) {
      for (const direction of ['asc', 'desc']) {
        const found: number[] = []
        for (const page of [1, 2, 3, 4]) {
          const answer = await clients['benevole']!.get(
            `/api/loanings?limit=1&page=${page}&order[${order}]=${direction}`,
          )
          expect(answer.body['hydra:totalItems']).toBe(3)
          found.push(...ids(answer))
        }
        expect(found.sort()).toEqual([1, 2, 6])
      }
    }
  })

  it('ends with the library’s day', async () => {
    for (const [instant, seen] of [
      ['2026-03-10T22:59:00Z', [1, 2, 6]],
      ['2026-03-10T23:01:00Z', [1]],
    ] as const) {
      server.moveTo(instant)
      const answer = await (await server.as('benevole')).get('/api/loanings?order[id]=asc')
      expect(ids(answer)).toEqual(seen)
      expect(answer.body['hydra:totalItems']).toBe(seen.length)
    }
  })

  it('is told by no refusal', async () => {
    const benevole = clients['benevole']!
    const old = await benevole.post('/api/loanings/return', { bar_code: '1004' })
    expect(old.body).toMatchObject({ reason: 'NO_OPEN_LOAN', facts: { last_loaning: null } })
    const today = await benevole.post('/api/loanings/return', { bar_code: '1002' })
    expect(today.body.facts.last_loaning).toMatchObject({ id: 2, beneficiary_info: 'M1 - Martin Alice' })
    const closed = await benevole.post('/api/loanings/4/return')
    expect(closed.body).toMatchObject({ reason: 'ALREADY_RETURNED' })
    expect(closed.body.facts).toEqual({ loaning: { id: 4 } })
    for (const id of [3, 4, 5]) {
      const undone = await benevole.post(`/api/loanings/${id}/undo`)
      expect(undone.status).toBe(409)
      expect(JSON.stringify(undone.body)).not.toContain('Martin')
    }
    const known = await clients['biblio']!.post('/api/loanings/return', { bar_code: '1004' })
    expect(known.body.facts.last_loaning).toMatchObject({ id: 4 })
  })

  it('is not opened by a right to change loans', async () => {
    await sql`insert into profile_rights (profile, right_code)
      select p.id, r.code from profiles p, rights r
      where p.name = 'Bénévole' and r.code in ('LOANING_EDIT', 'LOANING_DELETE', 'SEND_MAIL')`.execute(
      server.db,
    )
    const benevole = clients['benevole']!
    const answers = [
      await benevole.put('/api/loanings/4', {}),
      await benevole.post('/api/loanings/4/extend', { duration_value: 1 }),
      await benevole.post('/api/loanings/4/delay', {}),
      await benevole.post('/api/loanings/4/cancel'),
      await benevole.delete('/api/loanings/4'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    const mail = await benevole.post('/api/mail', { loaning: 4, template: 'loaning_creation' })
    expect(mail.body.violations).toEqual([{ propertyPath: 'loaning', message: 'Ce prêt n’existe pas.' }])
    await sql`delete from profile_rights where right_code in ('LOANING_EDIT', 'LOANING_DELETE', 'SEND_MAIL')
      and profile = (select id from profiles where name = 'Bénévole')`.execute(server.db)
  })

  it('does not hide what the person just did', async () => {
    const benevole = clients['benevole']!
    // Kept off line yesterday, sent today.
    const back = await benevole.post('/api/loanings/return', {
      bar_code: '1001',
      occurred_at: '2026-03-09T10:00:00Z',
    })
    expect(back.body).toMatchObject({ status: 'finished', return_date: '2026-03-09', beneficiary: 1 })
    expect((await benevole.post('/api/loanings/1/undo')).body).toMatchObject({ status: 'in_progress' })
  })
})
