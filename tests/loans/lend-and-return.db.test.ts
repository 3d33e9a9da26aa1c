import { randomUUID } from 'node:crypto'

import { beforeEach, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('lending and returning', (server) => {
  let biblio: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    biblio = await server.as('biblio')
  })

  it('lends a copy at its medium’s terms', async () => {
    const answer = await biblio.post('/api/loanings', {
      beneficiary: '/api/beneficiaries/1',
      copy: '/api/copies/1',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      '@type': 'Loaning',
      beneficiary: 1,
      beneficiary_info: 'M1 - Martin Alice',
      beneficiary_name: 'Alice Martin (M1)',
      lent_by: 'biblio Test',
      copy_barcode: '1001',
      start_date: '2026-03-10',
      end_date: '2026-03-31',
      duration_value: 3,
      duration_type: 'WEEK',
      amount: '0.75',
      status: 'in_progress',
      islate: false,
    })
  })

  it('refuses the same copy to anyone else, and says who has it', async () => {
    await biblio.post('/api/loanings', { beneficiary: 1, copy: 6 })
    const answer = await biblio.post('/api/loanings', { beneficiary: 2, copy: 6 })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 409,
      reason: 'ALREADY_LENT',
      message: '«\u00a0Livre numéro 6\u00a0» est déjà prêté à Alice Martin (M1), depuis le 10/03/2026.',
    })
  })

  it('lets one of two devices have a copy at the same instant', async () => {
    const answers = await Promise.all([
      biblio.post('/api/loanings', { beneficiary: 1, copy: 2 }),
      biblio.post('/api/loanings', { beneficiary: 2, copy: 2 }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('answers a repeated key with the stored answer', async () => {
    const key = randomUUID()
    const first = await biblio.post('/api/loanings', { beneficiary: 1, copy: 3 }, { key })
    const again = await biblio.post('/api/loanings', { beneficiary: 1, copy: 3 }, { key })
    expect(first.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await biblio.post('/api/loanings', { beneficiary: 1, copy: 4 }, { key })
    expect(other.status).toBe(422)
    expect(other.body.reason).toBe('KEY_REUSED')
  })

  it('returns by bar code, late, with the penalty of the medium', async () => {
    await biblio.post('/api/loanings', { beneficiary: 1, copy: 7 })
    server.moveTo('2026-04-15T09:00:00Z')
    biblio = await server.as('biblio')
    const answer = await biblio.post('/api/loanings/return', { bar_code: '1007', state: 'DAMAGED' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'finished',
      return_date: '2026-04-15',
      islate: true,
      penalty_duration: 15,
      penalty_count: 3,
      penalty_amount: '1.50',
      penalty: { total: '1.50' },
      state: 'DAMAGED',
      copy_state: 'DAMAGED',
    })
    const again = await biblio.post('/api/loanings/return', { bar_code: '1007' })
    expect(again.status).toBe(409)
    expect(again.body.reason).toBe('NO_OPEN_LOAN')
  })

  it('says of a copy set aside that is scanned as a return for whom it is kept', async () => {
    const held = await server.db
      .insertInto('reservations')
      .values({
        beneficiary_id: 1,
        reference_id: 9,
        status: 'confirmed',
        set_aside_copy: 9,
        set_aside_at: testNow,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answer = await biblio.post('/api/loanings/return', { bar_code: '1009' })
    expect(answer.body).toMatchObject({
      reason: 'NO_OPEN_LOAN',
      message: '«\u00a0Livre numéro 9\u00a0» n’est pas en prêt (Mis de côté pour Alice Martin).',
    })
    await server.db.deleteFrom('reservations').where('id', '=', held.id).execute()
    const free = await biblio.post('/api/loanings/return', { bar_code: '1009' })
    expect(free.body.message).toBe('«\u00a0Livre numéro 9\u00a0» n’est pas en prêt (Disponible).')
  })

  it('names every unknown field of a body', async () => {
    const answer = await biblio.post('/api/loanings', {
      beneficiary: 1,
      copy: 5,
      colour: 'bleu',
      duration_value: 0,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.violations).toContainEqual({
      propertyPath: 'colour',
      message: 'Le champ «\u00a0colour\u00a0» n’est pas connu.',
    })
    expect(answer.body.violations).toContainEqual({
      propertyPath: 'duration_value',
      message: 'Le champ «\u00a0duration_value\u00a0» doit être au moins 1.',
    })
  })
})
