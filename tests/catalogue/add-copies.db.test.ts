import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('copies added together', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  const add = (body: object, key?: string) =>
    biblio.post('/api/copies/several', { reference: 1, site: 1, ...body }, key ? { key } : {})
  const codesOf = (body: { 'hydra:member': { bar_code: string }[] }) =>
    body['hydra:member'].map(({ bar_code }) => bar_code)
  const number = (site: number, siteCode: string, firstValue: string) =>
    sql`update sites set bar_codes_configuration = bar_codes_configuration || ${JSON.stringify({ siteCode, firstValue })}::jsonb,
      last_number = null where id = ${site}`.execute(server.db)
  const copiesLike = async (codes: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from copies where bar_code like ${codes}`.execute(server.db)
    return rows[0]?.count
  }

  it('take the next codes of the site in turn, zeros before them, and are alike', async () => {
    await number(1, 'A', '0098')
    const { status, body } = await add({ count: 4, state: 'GOOD', price: '7.5', buy_date: '2026-01-02' })
    expect(status).toBe(201)
    expect(codesOf(body)).toEqual(['A0098', 'A0099', 'A0100', 'A0101'])
    expect(body['hydra:totalItems']).toBe(4)
    for (const copy of body['hydra:member']) {
      expect(copy).toMatchObject({
        reference: 1,
        state: 'GOOD',
        price: '7.50',
        type: 'Location',
        status_name: 'Disponible',
        buy_date: '2026-01-02',
      })
    }
  })

  it('have each a line in the journal', async () => {
    await number(1, 'J', '1')
    const { body } = await add({ count: 3 })
    const lines = await server.db
      .selectFrom('audit_journal')
      .select(['action', 'entity_id'])
      .where('entity', '=', 'copies')
      .orderBy('id', 'desc')
      .limit(3)
      .execute()
    expect(lines.reverse()).toEqual(
      body['hydra:member'].map(({ id }: { id: number }) => ({ action: 'copies.add', entity_id: id })),
    )
  })

  it('are added once, however often the same is sent', async () => {
    await number(1, 'K', '01')
    const key = 'b7f6f2d4-5a0e-4a59-8a49-6a1c2f9f0b11'
    const at = await Promise.all([add({ count: 5 }, key), add({ count: 5 }, key)])
    const again = await add({ count: 5 }, key)
    expect(again.status).toBe(201)
    expect(codesOf(again.body)).toEqual(['K01', 'K02', 'K03', 'K04', 'K05'])
    expect(at.some(({ status }) => status === 201)).toBe(true)
    expect(await copiesLike('K%')).toBe(5)
  })

  it('never share a code, when fifty at once ask at two sites that number alike', async () => {
    await number(1, 'T', '0001')
    await number(2, 'T', '0001')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 5 === 0
          ? biblio.post('/api/copies', { reference: 2, site: 1 + (at % 2) })
          : biblio.post('/api/copies/several', { reference: 2, site: 1 + (at % 2), count: 3 }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201))
    const codes = answers.flatMap(({ body }) => ('bar_code' in body ? [body.bar_code] : codesOf(body)))
    expect(codes).toHaveLength(10 + 40 * 3)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^T\d{4}$/)
  })

  it('have the codes of a list, each refused at its line, and none is added then', async () => {
    const { status, body } = await add({ bar_codes: ['H1', '1001', 'A12345B', 'H1', 'H2'] })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      {
        propertyPath: 'bar_codes.1',
        message: 'Le code-barres 1001 est déjà celui d’un exemplaire de «\u00a0Livre numéro 1\u00a0».',
      },
      {
        propertyPath: 'bar_codes.2',
        message: 'Ce code se lirait «\u00a012345\u00a0»\u202f: écrivez-le ainsi.',
      },
      { propertyPath: 'bar_codes.3', message: 'Le code-barres H1 est déjà à la ligne 1.' },
    ])
    expect(await copiesLike('H%')).toBe(0)
    const added = await add({ bar_codes: ['H2', '0H1'] })
    expect(codesOf(added.body)).toEqual(['H2', '0H1'])
  })

  it('wait for each other where two lists have the same codes, in whatever order', async () => {
    const codes = Array.from({ length: 20 }, (_, at) => `W${at}`)
    const at = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => add({ bar_codes: turn % 2 ? codes : codes.toReversed() })),
    )
    expect(at.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    expect(await copiesLike('W%')).toBe(20)
  })

  it('are one to fifty, counted or listed, and not both', async () => {
    const refused = async (body: object) => {
      const answer = await add(body)
      expect(answer.status).toBe(422)
      return answer.body.violations[0].propertyPath as string
    }
    expect(await refused({})).toBe('count')
    expect(await refused({ count: 1, bar_codes: ['B1'] })).toBe('count')
    expect(await refused({ bar_codes: [] })).toBe('bar_codes')
    expect(await refused({ count: 0 })).toBe('count')
    expect(await refused({ count: 51 })).toBe('count')
    expect(await refused({ bar_codes: Array.from({ length: 51 }, (_, at) => `B${at}`) })).toBe('bar_codes')
    await number(1, 'F', '001')
    expect(codesOf((await add({ count: 50 })).body).at(-1)).toBe('F050')
  })

  it('are numbered by hand where numbering is off, at a site open to the person, by whoever may', async () => {
    await setParameter(server, 'barCodesIncrement', '0')
    expect(await add({ count: 2 })).toMatchObject({ status: 409, body: { reason: 'NUMBERED_BY_HAND' } })
    expect((await add({ bar_codes: ['M1', 'M2'] })).status).toBe(201)
    await setParameter(server, 'barCodesIncrement', '1')
    const lecture = await server.as('lecture')
    expect(
      (await lecture.post('/api/copies/several', { reference: 1, site: 1, bar_codes: ['M3'] })).status,
    ).toBe(403)
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'biblio'`.execute(
      server.db,
    )
    const limited = await server.as('biblio')
    const elsewhere = await limited.post('/api/copies/several', { reference: 1, site: 2, count: 2 })
    expect(elsewhere.body.violations[0]).toEqual({ propertyPath: 'site', message: 'Ce site n’existe pas.' })
    await sql`delete from user_sites`.execute(server.db)
  })
})
