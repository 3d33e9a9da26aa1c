import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const codesOf = ({ body }: Answer): string[] => body['hydra:member'].map(({ code }: { code: string }) => code)

describeServer('references: list and one', (server) => {
  let biblio: Client
  const list = (query: string, options?: { site: number }) => biblio.get(`/api/references?${query}`, options)
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await server.db.insertInto('copies').values({ reference: 1, bar_code: '9001', site: 2 }).execute()
    await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await sql`insert into list_types (name, "group") values ('70', 'author')`.execute(server.db)
    await sql`insert into list_values (name, "group", type) select 'Zola, Émile', "group", id from list_types`.execute(
      server.db,
    )
    await sql`insert into reference_list_values select 1, id, 1 from list_values`.execute(server.db)
    await server.db
      .updateTable('references')
      // 23:30 on the 9th in Paris is still the 8th's evening in UTC… and the other way round.
      .set({
        created_at: '2026-01-08T23:30:00Z',
        reference_data: '{"language":"fre"}',
      })
      .where('id', '=', 1)
      .execute()
    await server.db
      .updateTable('references')
      .set({ code: '9782900000151' })
      .where('code', '=', 'F4')
      .execute()
    await sql`insert into keywords (name) values ('mine')`.execute(server.db)
    await sql`insert into reference_keywords select 1, id from keywords where name = 'mine'`.execute(
      server.db,
    )
    await server.db
      .updateTable('references')
      .set({ deleted_at: '2026-03-01T00:00:00Z' })
      .where('code', '=', 'F5')
      .execute()
  })

  it('tells a reference and its copies', async () => {
    const { status, body } = await biblio.get('/api/references/1')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@id': '/api/references/1',
      code: 'L1',
      category: { id: 1, name: 'Roman' },
      medium: { id: 1, name: 'Livre' },
      price: '0.25',
      keywords: ['mine'],
      tags: { author: 'Zola, Émile' },
      authors: { author: { 70: ['Zola, Émile'] } },
      reference_data: { language: 'fre' },
      copies_count: 2,
      available_count: 1,
      copies: [{ bar_code: '1001', status_name: 'En Location' }, { bar_code: '9001' }],
    })
    expect((await biblio.get('/api/references/15')).status).toBe(404)
    expect((await biblio.get('/api/references/999')).status).toBe(404)
  })

  it('lists the newest first, and copies only when asked', async () => {
    const answer = await list('limit=3')
    expect(answer.body['hydra:totalItems']).toBe(14)
    expect(answer.body['hydra:member'][0]).not.toHaveProperty('copies')
    expect(codesOf(await list('order[created_at]=asc&limit=1'))).toEqual(['L1'])
    const held = await list('with_copies=1&code|in=L1,L2&order[code]=asc')
    expect(held.body['hydra:member']).toMatchObject([
      { copies: [{ bar_code: '1001' }, { bar_code: '9001' }] },
      { copies: [{ bar_code: '1002' }] },
    ])
  })

  it('counts and shows the copies of the current site', async () => {
    const { body } = await list('with_copies=1&id=1', { site: 2 })
    expect(body['hydra:member']).toMatchObject([
      { copies_count: 1, available_count: 1, copies: [{ bar_code: '9001' }] },
    ])
    expect((await list('', { site: 2 })).body['hydra:totalItems']).toBe(14)
  })

  it.each([
    ['searchname=emile livre 10', ['L10']],
    ['searchname=F3', ['F3']],
    ['searchname=978-2-900000-15-1', ['9782900000151']],
    ['searchname=ISBN 978-2-900000-15-1 (br.)', ['9782900000151']],
    ['searchname=978290000015152500', ['9782900000151']],
    ['code|like=978-2-900000-15-1', ['9782900000151']],
    ['code=978-2-900000-15-1', ['9782900000151']],
    ['name|like=FILM NUMERO&order[id]=asc', ['F1', 'F2', 'F3', '9782900000151']],
    ['category=2&order[name]=desc&limit=1', ['9782900000151']],
    ['medium|in=2,3&order[code]=asc&limit=2', ['9782900000151', 'F1']],
    ['created_at=2026-01-09', ['L1']],
    ['created_at=2026-01-08', []],
    ['created_at|lte=2026-01-09', ['L1']],
    ['created_at|lte=2026-01-08', []],
    ['new_at|nil=0', []],
    ['type=Vente', []],
  ])('filters %s', async (query, expected) => {
    const answer = await list(query)
    expect(codesOf(answer)).toEqual(expected)
  })

  it.each(['created_at', 'name', 'code', 'category', 'medium', 'price', 'id'])(
    'orders stably by %s',
    async (field) => {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => list(`limit=5&page=${page}&order[${field}]=desc`)),
      )
      expect(new Set(pages.flatMap(codesOf)).size).toBe(14)
    },
  )
})
