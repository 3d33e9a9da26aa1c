import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

describeServer('loans of a site that is closed to a person', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
  })
  const lendAtCentre = async (copy: number, beneficiary = 1, more: object = {}) => {
    const answer = await people.centre.post('/api/loanings', {
      beneficiary,
      copy,
      comment: 'secret de Centre',
      ...more,
    })
    expect(answer.status).toBe(201)
    return answer.body.id as number
  }
  const statuses = async () =>
    (await server.db.selectFrom('loanings').select(['id', 'status']).orderBy('id').execute()).map(
      ({ status }) => status,
    )
  const returnHere = (client: Client, bar_code: string, body: object = {}) =>
    client.post('/api/loanings/return', { bar_code, ...body })

  it('do not exist for who sweeps the ids', async () => {
    for (const copy of [1, 2, 3, 4, 5]) await lendAtCentre(copy)
    const before = await statuses()
    for (let id = 1; id <= 40; id += 1) {
      for (const client of [people.annexe, people.volunteer]) {
        const answers = [
          await client.get(`/api/loanings/${id}`),
          await client.post(`/api/loanings/${id}/undo`),
          await client.post(`/api/loanings/${id}/undo`, { expects: 'return' }),
          await client.post(`/api/loanings/${id}/return`, { penalty: false }),
        ]
        expect(answers.map(({ status, body }) => [status, body])).toEqual(
          answers.map(() => [404, { code: 404, message: 'Ce prêt n’existe pas.' }]),
        )
      }
    }
    expect(await statuses()).toEqual(before)
  })

  it('are taken back by the code of the copy, and tell nothing but the copy', async () => {
    const id = await lendAtCentre(1)
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 2, reference_id: 1, queue_position: 1, site: 1 })
      .execute()
    const answer = await returnHere(people.volunteer, '1001')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      '@id': `/api/loanings/${id}`,
      '@type': 'Loaning',
      id,
      copy: 1,
      copy_barcode: '1001',
      copy_state: 'VERY_GOOD',
      reference: 1,
      reference_name: 'Livre numéro 1',
      category: 'Roman',
      medium: 'Livre',
      status: 'finished',
      reservation_reference: 1,
      awaited_by: {
        id: 1,
        beneficiary_info: 'Lecteur d’un autre site',
        beneficiary_name: 'Lecteur d’un autre site',
        site: { id: 1, name: 'Centre' },
        start_date: null,
        is_set_aside: false,
      },
      home_site: { id: 1, name: 'Centre' },
    })
    expect((await people.volunteer.post(`/api/loanings/${id}/undo`)).status).toBe(404)
    // Centre sees what became of its loan.
    expect((await people.centre.get(`/api/loanings/${id}`)).body).toMatchObject({
      status: 'finished',
      returned_by: 'benevole Test',
    })
  })

  it('are known by the code of the copy, with its title and site alone, until it is back', async () => {
    const lent = (client: Client) => client.get('/api/loanings/lent?bar_code=1001')
    await lendAtCentre(1)
    const copy = { bar_code: '1001', name: 'Livre numéro 1', site_name: 'Centre' }
    for (const client of [people.volunteer, people.centre])
      expect(await lent(client)).toMatchObject({ status: 200, body: { copy } })
    await returnHere(people.volunteer, '1001')
    expect((await lent(people.volunteer)).body).toEqual({ copy: null })
    expect((await people.volunteer.get('/api/loanings/lent?bar_code=0000')).body).toEqual({ copy: null })
  })

  it('tell the whole loan to whom both sites are open, with the way home', async () => {
    await lendAtCentre(1)
    const back = await people.chef.post('/api/loanings/return', { bar_code: '1001' }, { site: 2 })
    expect(back.body).toMatchObject({
      beneficiary_info: 'M1 - Martin Alice',
      home_site: { id: 1, name: 'Centre' },
    })
    await lendAtCentre(1)
    expect((await people.chef.post('/api/loanings/return', { bar_code: '1001' })).body).not.toHaveProperty(
      'home_site',
    )
  })

  it('are told by no refusal', async () => {
    const id = await lendAtCentre(1)
    const { volunteer } = people
    const lend = (beneficiary: number, more: object = {}) =>
      volunteer.post('/api/loanings', { beneficiary, copy: 1, ...more })
    const taken = await lend(4)
    expect(taken).toMatchObject({
      status: 409,
      body: {
        reason: 'ALREADY_LENT',
        message: '«\u00a0Livre numéro 1\u00a0» est déjà prêté à un lecteur d’un autre site.',
        facts: { loaning: { id } },
      },
    })
    expect(taken.body.facts).toEqual({ loaning: { id } })
    const same = await lend(1)
    expect(same.body).toMatchObject({ reason: 'ALREADY_LENT_TO_SAME', facts: { loaning: { id } } })
    const notMade = await returnHere(volunteer, '1001', { loan_key: randomUUID() })
    expect(notMade.body).toMatchObject({ reason: 'LOAN_NOT_MADE', facts: { loaning: { id } } })
    const fast = await volunteer.post('/api/loanings/fast', { beneficiary: 4, copy: 1 })
    expect(fast.body.error).toBe('«\u00a0Livre numéro 1\u00a0» est déjà prêté à un lecteur d’un autre site.')
    const newer = await returnHere(volunteer, '1001', { occurred_at: '2026-03-10T08:00:00Z' })
    expect(newer.body).toMatchObject({ reason: 'NEWER_LOAN', facts: { loaning: { id } } })
    await returnHere(people.centre, '1001')
    const none = await returnHere(volunteer, '1001')
    expect(none.body).toMatchObject({ reason: 'NO_OPEN_LOAN', facts: { last_loaning: null } })
    await server.db
      .insertInto('reservations')
      .values({
        beneficiary_id: 2,
        reference_id: 1,
        site: 1,
        status: 'confirmed',
        set_aside_copy: 1,
        set_aside_at: testNow,
      })
      .execute()
    const kept = await returnHere(volunteer, '1001')
    expect(kept.body.message).toBe(
      '«\u00a0Livre numéro 1\u00a0» n’est pas en prêt (Mis de côté pour un lecteur d’un autre site).',
    )
    for (const answer of [taken, same, notMade, fast, newer, none, kept])
      expectNobodyNamed(answer, { title: true })
    // Whoever sees the loan is told of it as before.
    const seen = await returnHere(people.centre, '1001')
    expect(seen.body.facts.last_loaning).toMatchObject({ beneficiary_info: 'M1 - Martin Alice' })
  })

  it('close by a key of Centre’s only what the answer may not tell', async () => {
    const key = randomUUID()
    await people.centre.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    await returnHere(people.centre, '1001')
    const again = await returnHere(people.volunteer, '1001', { loan_key: key })
    expect(again.body).toMatchObject({ reason: 'ALREADY_RETURNED', facts: { loaning: { id: 1 } } })
    expectNobodyNamed(again, { title: true })
  })

  it('name nobody who waits at the other site', async () => {
    await server.db
      .insertInto('reservations')
      .values([
        { beneficiary_id: 2, reference_id: 11, queue_position: 1, site: 1 },
        { beneficiary_id: 4, reference_id: 11, queue_position: 2, site: 2 },
      ])
      .execute()
    const asked = await people.volunteer.post('/api/loanings', {
      beneficiary: 1,
      copy: 11,
      despite_reservations: false,
    })
    expect(asked.body.reason).toBe('RESERVED')
    const names = asked.body.facts.reservations.map(
      ({ beneficiary_info }: { beneficiary_info: string }) => beneficiary_info,
    )
    expect(names).toEqual(['Lecteur d’un autre site', 'M4 - Sans-Courriel Jean'])
    const copies = await people.volunteer.get('/api/copies?bar_code=2001')
    expectNobodyNamed(copies)
    expect(copies.body['hydra:member'][0].reservations).toHaveLength(2)
    expectNobodyNamed(await people.volunteer.get('/api/references/11?'))
  })

  it('keep a withdrawn copy of Centre to themselves', async () => {
    await server.db.updateTable('copies').set({ deleted_at: testNow }).where('id', '=', 1).execute()
    const answer = await people.volunteer.post('/api/loanings', { beneficiary: 4, copy: 1 })
    expect(answer.body).toMatchObject({ reason: 'COPY_WITHDRAWN', facts: { copy: { id: 1 } } })
    expect(answer.body.facts.copy).toEqual({ id: 1 })
  })

  it('are recorded at a site that is open when a copy of Centre is lent without a site', async () => {
    await server.db
      .insertInto('sites')
      .values({ name: 'Bibliobus', gestit_id: null, deleted_at: null })
      .execute()
    const user = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'benevole')
      .executeTakeFirstOrThrow()
    await server.db.insertInto('user_sites').values({ user_id: user.id, site: 3 }).execute()
    const lent = await people.volunteer.post('/api/loanings', { beneficiary: 4, copy: 7 })
    expect(lent).toMatchObject({
      status: 201,
      body: { site: expect.toSatisfy((site) => site === 2 || site === 3) },
    })
    await server.db.deleteFrom('user_sites').where('site', '=', 3).execute()
  })
  it('leave the stock of Centre whole: a copy of it is sold there alone', async () => {
    await server.db.updateTable('copies').set({ type: 'Vente' }).where('id', '=', 1).execute()
    const answer = await people.annexe.post('/api/sales', { beneficiary: 4, copy: 1 })
    expect(answer.body.violations).toEqual([
      { propertyPath: 'copy', message: 'Cet exemplaire est d’un autre site\u202f: il se vend là-bas.' },
    ])
    expectNobodyNamed(answer)
    expect((await people.chef.post('/api/sales', { beneficiary: 4, copy: 1 })).status).toBe(201)
    await server.db.updateTable('copies').set({ type: 'Location' }).where('id', '=', 1).execute()
  })
})
