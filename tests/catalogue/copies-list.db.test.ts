import { beforeAll, expect, it } from 'vitest'

import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const codesOf = ({ body }: Answer): string[] =>
  body['hydra:member'].map(({ bar_code }: { bar_code: string }) => bar_code)

describeServer('copies: list', (server) => {
  let biblio: Client
  const list = (query: string, options?: { site: number }) => biblio.get(`/api/copies?${query}`, options)
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await server.db.updateTable('references').set({ name: 'L’Été à Évry' }).where('id', '=', 3).execute()
    await server.db.insertInto('locations').values({ label: 'Rayon A', deleted_at: null }).execute()
    await server.db.updateTable('copies').set({ location: 1, price: '9.90' }).where('id', '=', 3).execute()
    await server.db
      .updateTable('copies')
      .set({ deleted_at: '2026-03-01T00:00:00Z' })
      .where('id', '=', 10)
      .execute()
    await biblio.post('/api/loanings', { beneficiary: 1, copy: 2 })
    await server.db
      .insertInto('reservations')
      .values([
        { beneficiary_id: 2, reference_id: 2, queue_position: 1 },
        { beneficiary_id: 4, reference_id: 2, queue_position: 2 },
        { beneficiary_id: 2, reference_id: 2, status: 'canceled' },
      ])
      .execute()
  })

  it('tells what a copy is, who has it and who waits for it', async () => {
    const { status, body } = await list('bar_code=1002')
    expect(status).toBe(200)
    expect(body['hydra:member']).toMatchObject([
      {
        '@id': '/api/copies/2',
        '@type': 'Copy',
        name: 'Livre numéro 2',
        reference: 2,
        state: 'VERY_GOOD',
        state_name: 'Très bon état',
        status: { name: 'En Location' },
        status_name: 'En Location',
        is_unavailable: false,
        site_name: 'Centre',
        price: '0.25',
        category: { id: 1, name: 'Roman' },
        medium: { id: 1, name: 'Livre' },
        loaning: {
          beneficiary: 1,
          beneficiary_info: 'M1 - Martin Alice',
          beneficiary_name: 'Alice Martin (M1)',
          end_date: '2026-03-31',
        },
        reservations: [
          { beneficiary_id: 2, beneficiary_info: 'M2 - Dupont Éric', queue_position: 1 },
          { beneficiary_id: 4, queue_position: 2 },
        ],
      },
    ])
    const other = (await list('id=3')).body['hydra:member'][0]
    expect(other).toMatchObject({ location_label: 'Rayon A', price: '9.90', loaning: null, reservations: [] })
  })

  it('pages by bar code without the withdrawn', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`limit=6&page=${page}`)))
    expect(pages.flatMap(codesOf)).toEqual([
      ...Array.from({ length: 9 }, (_, n) => `${1001 + n}`),
      ...Array.from({ length: 5 }, (_, n) => `${2001 + n}`),
    ])
    expect(pages.map(({ body }) => body['hydra:totalItems'])).toEqual([14, 14, 14])
  })

  it.each([
    ['searchname=ete evry', ['1003']],
    ['searchname=evry zola', ['1003']],
    ['searchname=VARDA', ['2001', '2002', '2003', '2004', '2005']],
    ['searchname=2004', ['2004']],
    ['searchname=004', ['1004', '2004']],
    ['searchname=1010', []],
    ['bar_code|in=1001,2001', ['1001', '2001']],
    ['bar_code=100', []],
    ['status.name=En Location', ['1002']],
    ['filters[status.name|in]=En Location,En transfert', ['1002']],
    ['reference=/api/references/3', ['1003']],
    ['medium=2&limit=1', ['2001']],
    ['category=2&order[name]=desc&limit=2', ['2005', '2004']],
    ['site=2&order[bar_code]=desc&limit=2', ['2005', '2004']],
    ['type=Vente', []],
  ])('filters %s', async (query, expected) => {
    expect(codesOf(await list(query))).toEqual(expected)
  })

  it('counts what the filters keep', async () => {
    expect((await list('medium=2&limit=1')).body['hydra:totalItems']).toBe(5)
    expect((await list('searchname=zola&limit=1')).body['hydra:totalItems']).toBe(9)
  })

  it('keeps to the current site', async () => {
    const answer = await list('limit=1', { site: 2 })
    expect(codesOf(answer)).toEqual(['2001'])
    expect(answer.body['hydra:totalItems']).toBe(5)
    expect(codesOf(await list('bar_code=1001', { site: 2 }))).toEqual([])
  })

  it.each([
    'order[name]=asc',
    'order[site]=desc',
    'order[status.name]=asc',
    'order[buy_date]=desc',
    'order[id]=asc',
  ])('orders stably by %s', async (order) => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`limit=5&page=${page}&${order}`)))
    expect(new Set(pages.flatMap(codesOf)).size).toBe(14)
  })

  it('refuses what it does not know', async () => {
    expect((await list('status.name=Perdu')).status).toBe(400)
    expect((await list('limit=501')).status).toBe(400)
    expect((await list('reference=abc')).status).toBe(400)
  })

  it('names nobody to those who may list neither readers nor loans', async () => {
    const lecture = await server.as('lecture')
    const told = async () => {
      const [copy] = (await lecture.get('/api/copies?bar_code=1002')).body['hydra:member']
      const [{ copies }] = (await lecture.get('/api/references?id=2&with_copies=1')).body['hydra:member']
      const [alone] = (await lecture.get('/api/references/2')).body.copies
      expect([copies[0], alone]).toEqual([copy, copy])
      return [copy.loaning, ...copy.reservations].map(({ beneficiary_name }) => beneficiary_name)
    }
    const names = ['Alice Martin (M1)', 'Éric Dupont (M2)', 'Jean Sans-Courriel (M4)']
    const take = (right: string) =>
      server.db
        .deleteFrom('profile_rights')
        .where('right_code', '=', right)
        .where('profile', '=', (eb) =>
          eb.selectFrom('profiles').select('id').where('name', '=', 'Consultation'),
        )
        .execute()
    expect(await told()).toEqual(names)
    await take('LIST_BENEFICIARIES')
    expect(await told()).toEqual(names)
    await take('LIST_LOANINGS')
    expect(await told()).toEqual([undefined, undefined, undefined])
    expect((await lecture.get('/api/copies?bar_code=1002')).body).not.toMatchObject({
      'hydra:member': [{ loaning: { beneficiary_info: expect.any(String) } }],
    })
  })
})
