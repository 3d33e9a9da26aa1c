import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const tooLong = 'Le prêt dure plus de 366 jours\u202f: retour prévu au plus tard le 11/03/2027.'
const tooEarly = 'La date de début remonte à plus de 30 jours\u202f: au plus tôt le 08/02/2026.'
const tooLate = 'La date de début est dans plus de 90 jours\u202f: au plus tard le 08/06/2026.'
const beyond = (propertyPath: string, message: string) => ({
  reason: 'BEYOND_BOUNDS',
  'hydra:description': message,
  violations: [{ propertyPath, message }],
})

describeServer('the bounds of what a lender may say', (server) => {
  let biblio: Client
  let benevole: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    benevole = await server.as('benevole')
  })
  beforeEach(async () => {
    await sql`truncate loanings restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })
  const lendAs = (client: Client, body: object) =>
    client.post('/api/loanings', { beneficiary: 1, copy: 1, ...body })
  const countLoans = async () => (await biblio.get('/api/loanings?copy=1')).body['hydra:totalItems'] as number
  const freeReason = async () =>
    (await biblio.get('/api/reasons?type|eq=free')).body['hydra:member'][0].id as number

  it('does not let a volunteer lend for nothing until 2036', async () => {
    const free = { free: true, free_reason: await freeReason() }
    for (const told of [
      { expected_return_date: '2036-03-10' },
      { duration_value: 120, duration_type: 'MONTH' },
    ]) {
      const refused = await lendAs(benevole, { ...free, ...told })
      expect(refused.status).toBe(422)
      expect(refused.body.reason).toBe('BEYOND_BOUNDS')
      const motive = { override_reason: 'Pour voir' }
      expect((await lendAs(benevole, { ...free, ...told, ...motive })).status).toBe(403)
    }
    expect(await countLoans()).toBe(0)
    const lent = await lendAs(benevole, { ...free, duration_value: 12, duration_type: 'MONTH' })
    expect(lent).toMatchObject({
      status: 201,
      body: { amount: '0.00', free: true, end_date: '2027-03-10', override_reason: null },
    })
  })

  it.each([
    [
      { duration_value: 367, duration_type: 'DAY' },
      'duration_value',
      tooLong,
      'longest_loan_days',
      '2027-03-11',
    ],
    [
      { expected_return_date: '2027-03-12' },
      'expected_return_date',
      tooLong,
      'longest_loan_days',
      '2027-03-11',
    ],
    [{ start_date: '2026-02-07' }, 'start_date', tooEarly, 'earliest_start_days', '2026-02-08'],
    [{ start_date: '2026-06-09' }, 'start_date', tooLate, 'latest_start_days', '2026-06-08'],
  ])('refuses %o at its field, and lends it with a motive and the right', async (...told) => {
    const [terms, field, message, bound, limit] = told
    const refused = await lendAs(biblio, terms)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      ...beyond(field, message),
      facts: { copy: 1, beneficiary: 1, bounds: [{ bound, limit }] },
    })
    const lent = await lendAs(biblio, { ...terms, override_reason: 'Exposition itinérante' })
    expect(lent).toMatchObject({ status: 201, body: { override_reason: 'Exposition itinérante' } })
    const { rows } = await sql<{ after: { bounds: object[] } }>`
      select after from audit_journal where action = 'loan.lend' order by id desc limit 1`.execute(server.db)
    expect(rows[0]?.after.bounds).toMatchObject([{ bound, limit }])
  })

  it('keeps no motive of a loan within its bounds', async () => {
    const lent = await lendAs(biblio, { override_reason: 'Au cas où', start_date: '2026-02-08' })
    expect(lent).toMatchObject({ status: 201, body: { override_reason: null } })
  })

  it('keeps its furthest bounds, whatever the motive', async () => {
    const motive = { override_reason: 'Direction' }
    const far = await lendAs(biblio, { ...motive, start_date: '2036-01-01' })
    expect(far.body).toMatchObject({
      violations: [{ message: 'La date de début est à plus d’un an d’aujourd’hui.' }],
    })
    expect(far.body.reason).toBeUndefined()
    const long = await lendAs(biblio, { ...motive, duration_value: 999, duration_type: 'MONTH' })
    expect(long.body.violations[0].message).toMatch(/n’est pas possible/)
  })

  it('tells all that one motive would pass over', async () => {
    const refused = await lendAs(biblio, { beneficiary: 3, start_date: '2026-02-07' })
    expect(refused.body).toMatchObject({
      reason: 'BEYOND_BOUNDS',
      violations: [{ propertyPath: 'start_date' }, { propertyPath: 'beneficiary' }],
    })
  })

  it('counts the start from the day of the action, however long it waited', async () => {
    const told = { occurred_at: '2026-02-10T08:00:00Z', start_date: '2026-01-11' }
    expect(await lendAs(benevole, told)).toMatchObject({ status: 201, body: { start_date: '2026-01-11' } })
    await biblio.post('/api/loanings/return', { bar_code: '1001' })
    const early = await lendAs(benevole, { ...told, start_date: '2026-01-10' })
    expect(early.body).toMatchObject({
      violations: [
        {
          propertyPath: 'start_date',
          message: 'La date de début remonte à plus de 30 jours\u202f: au plus tôt le 11/01/2026.',
        },
      ],
    })
  })

  it('follows the parameters', async () => {
    await setParameter(server, 'longest_loan_days', '7')
    const refused = await lendAs(benevole, { duration_value: 4 })
    expect(refused.body).toMatchObject({ reason: 'BEYOND_BOUNDS' })
    await setParameter(server, 'longest_loan_days', '366')
    expect((await lendAs(benevole, { duration_value: 4 })).status).toBe(201)
  })

  describe('hold for what changes a loan', () => {
    const extend = (id: number, body: object) => biblio.post(`/api/loanings/${id}/extend`, body)
    const lent = async (body: object = {}) => (await lendAs(biblio, body)).body.id as number

    it('by its whole length when it is extended', async () => {
      const id = await lent({ duration_value: 50 })
      const refused = await extend(id, { duration_value: 3 })
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject(beyond('duration_value', tooLong))
      expect(refused.body.facts).toEqual({
        bounds: [{ bound: 'longest_loan_days', days: 366, limit: '2027-03-11' }],
      })
      const extended = await extend(id, { duration_value: 3, override_reason: 'Fonds spécial' })
      expect(extended).toMatchObject({
        status: 200,
        body: { end_date: '2027-03-16', override_reason: 'Fonds spécial' },
      })
    })

    it('and not by a start that was accepted', async () => {
      const id = await lent({ start_date: '2026-01-05', override_reason: 'Reprise du cahier' })
      expect((await extend(id, { duration_value: 1 })).body).toMatchObject({
        end_date: '2026-02-02',
        override_reason: 'Reprise du cahier',
      })
      expect((await biblio.put(`/api/loanings/${id}`, { duration_value: 5 })).status).toBe(200)
    })

    it('counted from the day of lending, however late it begins', async () => {
      const id = await lent({ start_date: '2026-06-01' })
      expect((await extend(id, { duration_value: 38 })).body).toMatchObject({
        reason: 'BEYOND_BOUNDS',
        facts: { bounds: [{ bound: 'longest_loan_days', days: 366, limit: '2027-03-11' }] },
      })
      expect((await extend(id, { duration_value: 37 })).body).toMatchObject({ end_date: '2027-03-08' })
    })

    it('by start and length when it is edited', async () => {
      const id = await lent({ beneficiary: 3, override_reason: 'Réinscription' })
      const put = (body: object) => biblio.put(`/api/loanings/${id}`, body)
      expect((await put({ start_date: '2026-02-07' })).body).toMatchObject(beyond('start_date', tooEarly))
      expect((await put({ duration_value: 53 })).body).toMatchObject(beyond('duration_value', tooLong))
      const changed = await put({ duration_value: 53, override_reason: 'Exposition' })
      expect(changed).toMatchObject({
        status: 200,
        body: { end_date: '2027-03-16', override_reason: 'Réinscription · Exposition' },
      })
      expect((await put({ comment: 'À relier' })).body).toMatchObject({
        comment: 'À relier',
        override_reason: 'Réinscription · Exposition',
      })
      expect((await put({ free: true })).status).toBe(422)
    })

    it('counting the start from the day it was lent', async () => {
      const id = await lent()
      server.moveTo('2026-04-20T09:00:00.000Z')
      const later = await server.as('biblio')
      const changed = await later.put(`/api/loanings/${id}`, { start_date: '2026-02-08' })
      expect(changed.status).toBe(200)
      expect((await later.put(`/api/loanings/${id}`, { start_date: '2026-02-07' })).status).toBe(422)
      server.moveTo('2026-03-10T09:00:00.000Z')
    })

    it('by how often its medium lets it be extended, unless a motive is given', async () => {
      const set = (max_renewals: number | null) =>
        server.db.updateTable('media').set({ max_renewals }).where('id', '=', 1).execute()
      const once = { duration_value: 1 }
      await set(2)
      const id = await lent()
      expect((await extend(id, once)).status).toBe(200)
      expect((await extend(id, once)).status).toBe(200)
      const twice = 'Ce prêt a déjà été prolongé 2 fois, autant que le permet le support «\u00a0Livre\u00a0».'
      const refused = await extend(id, once)
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject(beyond('duration_value', twice))
      // Both at once, where both are passed.
      expect((await extend(id, { duration_value: 60 })).body.violations).toHaveLength(2)
      const insisted = await extend(id, { ...once, override_reason: 'Fonds spécial' })
      expect(insisted).toMatchObject({ status: 200, body: { override_reason: 'Fonds spécial' } })
      expect((await extend(id, once)).body).toMatchObject({ reason: 'BEYOND_BOUNDS' })
      await set(0)
      const other = (await lendAs(biblio, { copy: 2 })).body.id as number
      const never = 'Les prêts du support «\u00a0Livre\u00a0» ne se prolongent pas.'
      expect((await extend(other, once)).body).toMatchObject(beyond('duration_value', never))
      await set(null)
      expect((await extend(other, once)).status).toBe(200)
      expect((await extend(id, once)).status).toBe(200)
    })

    it('by how often its medium lets it be extended, when its edited terms make it due later', async () => {
      const set = (max_renewals: number | null) =>
        server.db.updateTable('media').set({ max_renewals }).where('id', '=', 1).execute()
      const renewals = async (id: number) =>
        (await server.db.selectFrom('loan_renewals').select('to_date').where('loaning', '=', id).execute())
          .length
      const put = (id: number, body: object) => biblio.put(`/api/loanings/${id}`, body)
      await set(0)
      const id = await lent({ duration_value: 3 })
      const never = beyond('duration_value', 'Les prêts du support «\u00a0Livre\u00a0» ne se prolongent pas.')
      expect((await put(id, { duration_value: 8 })).body).toMatchObject(never)
      expect((await put(id, { start_date: '2026-03-24' })).body).toMatchObject(never)
      // What makes it due no later is a correction, and extends nothing.
      expect((await put(id, { duration_value: 2 })).status).toBe(200)
      expect((await put(id, { comment: 'À relier' })).status).toBe(200)
      expect(await renewals(id)).toBe(0)
      const insisted = await put(id, { duration_value: 8, override_reason: 'Fonds spécial' })
      expect(insisted).toMatchObject({ status: 200, body: { override_reason: 'Fonds spécial' } })
      expect(await renewals(id)).toBe(1)
      // It is one of those that the medium lets be.
      await set(1)
      expect((await extend(id, { duration_value: 1 })).body).toMatchObject({ reason: 'BEYOND_BOUNDS' })
      await biblio.post(`/api/loanings/${id}/return`, { state: 'VERY_GOOD' })
      expect((await put(id, { duration_value: 9 })).status).toBe(200)
      expect(await renewals(id)).toBe(1)
      await set(null)
    })

    it('asking the right of who gives a motive', async () => {
      const id = await lent()
      await sql`insert into profile_rights (profile, right_code)
        select profile, 'LOANING_EDIT' from users where username = 'benevole' on conflict do nothing`.execute(
        server.db,
      )
      const editor = await server.as('benevole')
      const body = { duration_value: 60, override_reason: 'Pour voir' }
      expect((await editor.post(`/api/loanings/${id}/extend`, body)).status).toBe(403)
      expect((await editor.put(`/api/loanings/${id}`, body)).status).toBe(403)
      expect((await editor.post(`/api/loanings/${id}/extend`, { duration_value: 1 })).status).toBe(200)
    })
  })
})
