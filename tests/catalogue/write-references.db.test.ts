import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('references: adding, changing, removing', (server) => {
  let biblio: Client
  let admin: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    admin = await server.as('admin')
  })

  it('adds one with all that was said, and finds it by a part of its title', async () => {
    const { status, body } = await admin.post('/api/references', {
      name: 'L’Étranger',
      code: '2-07-036002-4',
      category: '/api/categories/1',
      medium: 1,
      price: '7.5',
      audience: 'adult',
      new_duration: '3',
      keywords: ['Algérie', 'algerie', 'Absurde'],
      tags: { author: 'Camus, Albert', publisher: '' },
      reference_data: { publication_date: '1942', language: 'fre' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      code: '9782070360024',
      category: { id: 1, name: 'Roman' },
      medium: { id: 1, name: 'Livre' },
      price: '7.50',
      type: 'Location',
      audience: 'adult',
      tags: { author: 'Camus, Albert' },
      reference_data: { publication_date: '1942', language: 'fre' },
      copies: [],
    })
    expect(body.keywords).toHaveLength(2)
    expect(body.new_at).not.toBeNull()
    const found = await biblio.get('/api/references?filters[searchname|like]=etranger camus')
    expect(found.body['hydra:member'].map(({ id }: { id: number }) => id)).toEqual([body.id])
  })

  it('keeps two descriptions and whether a deposit is asked for, and costs nothing unless said', async () => {
    const said = { description: 'Un homme, une plage.', short_description: 'Roman', deposit_check: true }
    const { body } = await admin.post('/api/references', { name: 'La Peste', ...said })
    expect(body).toMatchObject({ ...said, price: '0.00' })
    expect((await biblio.get(`/api/references/${body.id}`)).body).toMatchObject(said)
    const other = { description: '', short_description: 'Récit', deposit_check: false }
    expect((await biblio.put(`/api/references/${body.id}`, other)).body).toMatchObject(other)
  })

  it('stays as new as it was where « same » is sent, and is no longer so with « none »', async () => {
    const { body } = await admin.post('/api/references', { name: 'Une nouveauté', new_duration: '3' })
    const kept = await biblio.put(`/api/references/${body.id}`, { new_duration: 'same' })
    expect(body.new_at).not.toBeNull()
    expect(kept.body.new_at).toBe(body.new_at)
    expect((await biblio.put(`/api/references/${body.id}`, { new_duration: 'none' })).body.new_at).toBeNull()
  })

  it('refuses a second reference of one code and title, however they are written, even at the same instant', async () => {
    const plague = { name: 'La Peste', code: '2-07-040002-6' }
    expect((await biblio.post('/api/references', plague)).status).toBe(201)
    const same = await biblio.post('/api/references', {
      name: 'LA PESTE : roman',
      code: '978-2-07-040002-7',
    })
    expect(same.status).toBe(422)
    expect(same.body.violations).toEqual([
      {
        propertyPath: 'code',
        message:
          'Le code 9782070400027 est déjà celui de «\u00a0La Peste\u00a0». Un autre tome s’enregistre avec son numéro.',
      },
    ])
    // With what publishers print behind it.
    const bound = await biblio.post('/api/references', {
      name: 'La peste',
      code: '978-2-07-040002-7 (br.) : 12 EUR',
    })
    expect(bound.body.violations).toEqual(same.body.violations)
    const at = await Promise.all(
      Array.from({ length: 5 }, () => biblio.post('/api/references', { name: 'Essai', code: 'ESSAI' })),
    )
    expect(at.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
  })

  it('takes another volume or another title of one code, until it becomes the same', async () => {
    const code = '9782800000015'
    const add = (name: string, volume?: string) =>
      biblio.post('/api/references', {
        name,
        code,
        ...(volume === undefined ? {} : { reference_data: { volume } }),
      })
    expect((await add('Les Carnets', '1')).status).toBe(201)
    const second = await add('Les Carnets', '2')
    expect(second.status).toBe(201)
    expect((await add('Un autre titre')).status).toBe(201)
    const again = await add('les carnets', 'Tome 02')
    expect(again.body.violations).toEqual([
      {
        propertyPath: 'code',
        message: expect.stringContaining('celui de «\u00a0Les Carnets\u00a0» (tome 2).'),
      },
    ])
    const address = `/api/references/${second.body.id}`
    expect((await biblio.put(address, { reference_data: { volume: '1' } })).status).toBe(422)
    expect((await biblio.put(address, { price: '3.00' })).status).toBe(200)
    expect((await biblio.put(address, { reference_data: { volume: '3' } })).status).toBe(200)
  })

  it('makes no keyword for somebody who may not keep the list', async () => {
    const { status, body } = await biblio.post('/api/references', { name: 'X', keywords: ['Inconnu'] })
    expect(status).toBe(422)
    expect(body.violations[0]).toEqual({
      propertyPath: 'keywords',
      message: 'Le mot-clé «\u00a0Inconnu\u00a0» n’existe pas.',
    })
    expect((await biblio.get('/api/references?filters[name|eq]=X')).body['hydra:totalItems']).toBe(0)
  })

  it('changes what is named alone, and empties what is emptied', async () => {
    expect((await admin.post('/api/keywords', { name: 'Charbon' })).status).toBe(201)
    const { body: before } = await biblio.get('/api/references/1')
    const { body } = await biblio.put('/api/references/1', {
      tags: { year: '1885' },
      keywords: ['Charbon'],
      reference_data: { summary: 'Mine.' },
    })
    expect(body).toMatchObject({
      name: before.name,
      price: before.price,
      tags: { author: 'Zola, Émile', year: '1885' },
      keywords: ['Charbon'],
      reference_data: { summary: 'Mine.' },
    })
    expect(body.version).not.toBe(before.version)
    const emptied = await biblio.put('/api/references/1', {
      tags: { year: '' },
      keywords: [],
      code: '',
      medium: null,
    })
    expect(emptied.body).toMatchObject({
      tags: { author: 'Zola, Émile' },
      keywords: [],
      code: null,
      medium: null,
    })
  })

  it('tells the second of two people that the reference changed meanwhile', async () => {
    const { body: read } = await biblio.get('/api/references/2')
    const first = await biblio.put('/api/references/2', { name: 'Premier', version: read.version })
    expect(first.status).toBe(200)
    const second = await admin.put('/api/references/2', { price: '3.00', version: read.version })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({
      reason: 'CHANGED_SINCE',
      message: '«\u00a0Premier\u00a0» a été modifiée depuis que vous l’avez ouverte.',
    })
    const again = await admin.put('/api/references/2', { price: '3.00', version: first.body.version })
    expect(again.body).toMatchObject({ name: 'Premier', price: '3.00' })
  })

  it('does not hold a lend or a return for another version', async () => {
    const { body: read } = await biblio.get('/api/references/3')
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 3 })
    await biblio.post(`/api/loanings/${loan.id}/return`, {})
    expect((await biblio.get('/api/references/3')).body.version).toBe(read.version)
  })

  it('removes one with its copies, unless one is out', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 4 })
    const refused = await biblio.delete('/api/references/4')
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ reason: 'IN_USE', facts: { count: 1 } })
    await biblio.post(`/api/loanings/${loan.id}/return`, {})
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (2, 4, 1)`.execute(
      server.db,
    )
    expect((await biblio.delete('/api/references/4')).status).toBe(204)
    expect((await biblio.get('/api/references/4')).status).toBe(404)
    expect((await biblio.get('/api/copies?filters[reference|eq]=4')).body['hydra:totalItems']).toBe(0)
    const wish = await server.db.selectFrom('reservations').select('status').executeTakeFirst()
    expect(wish).toEqual({ status: 'canceled' })
    // What was lent keeps its words.
    expect((await biblio.get(`/api/loanings/${loan.id}`)).body.reference_name).toBe('Livre numéro 4')
  })

  it.each([
    ['name', { name: '' }],
    ['price', { name: 'X', price: '-1' }],
    ['category', { name: 'X', category: 999 }],
    ['medium', { name: 'X', medium: 999 }],
    ['audience', { name: 'X', audience: 'tous' }],
    ['tags.genre', { name: 'X', tags: { genre: 'x' } }],
    ['reference_data.summary', { name: 'X', reference_data: { summary: 'x'.repeat(5001) } }],
  ])('names the field of what it refuses: %s', async (field, body) => {
    const answer = await biblio.post('/api/references', body)
    expect(answer.status).toBe(422)
    expect(answer.body.violations[0].propertyPath).toBe(field)
  })

  it('asks the right of each', async () => {
    const reading = await server.as('lecture')
    expect((await reading.post('/api/references', { name: 'X' })).status).toBe(403)
    expect((await reading.put('/api/references/1', { name: 'X' })).status).toBe(403)
    expect((await reading.delete('/api/references/1')).status).toBe(403)
  })
})
