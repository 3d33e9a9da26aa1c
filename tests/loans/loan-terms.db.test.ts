import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('terms of a loan', (server) => {
  let biblio: Client
  let benevole: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    benevole = await server.as('benevole')
  })

  const lend = (body: object) => biblio.post('/api/loanings', { beneficiary: 1, ...body })
  /** Further back than loans may start without one. */
  const from = (start_date: string) => ({ start_date, override_reason: 'Reprise du cahier' })
  const giveBack = (bar_code: string) => biblio.post('/api/loanings/return', { bar_code })

  it('counts a duration in cycles of the copy', async () => {
    await sql`update copies set cycle_type = 'DAY', cycle_value = 10 where id = 1`.execute(server.db)
    const cycles = { duration_type: 'CYCLE', duration_value: 2, ...from('2026-01-31') }
    const answer = await lend({ copy: 1, ...cycles })
    expect(answer.body).toMatchObject({ end_date: '2026-02-20', expected_return_date: '2026-02-20' })
    await giveBack('1001')
  })

  it('extends by the whole duration from the start', async () => {
    const months = { duration_type: 'MONTH', duration_value: 1, ...from('2026-01-31') }
    const { body: loan } = await lend({ copy: 1, ...months })
    const extended = await biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value: 1 })
    expect(extended.body).toMatchObject({
      end_date: '2026-03-31',
      duration_value: 2,
      end_date_flagged: false,
    })
    await giveBack('1001')
  })

  it('goes on from the date told to the reader when that was another', async () => {
    const { body: loan } = await lend({ copy: 1, expected_return_date: '2026-04-02' })
    const extended = await biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value: 1 })
    expect(extended.body).toMatchObject({ end_date: '2026-04-09', end_date_flagged: true })
    const changed = await biblio.put(`/api/loanings/${loan.id}`, { duration_value: 3 })
    expect(changed.body).toMatchObject({ end_date: '2026-03-31', end_date_flagged: false })
    await giveBack('1001')
  })

  it('moves the expected return forward to the weekday on which loans of the medium end', async () => {
    await sql`update media set end_day = 5 where id = 1`.execute(server.db)
    const answer = await lend({ copy: 1, duration_type: 'DAY', duration_value: 1 })
    expect(answer.body.end_date).toBe('2026-03-13')
    await sql`update media set end_day = null where id = 1`.execute(server.db)
    await giveBack('1001')
  })

  it('keeps the date told to the reader off line, and flags it', async () => {
    const answer = await lend({
      copy: 1,
      expected_return_date: '2026-04-02',
      occurred_at: '2026-03-09T16:00:00Z',
    })
    expect(answer.body).toMatchObject({
      start_date: '2026-03-09',
      end_date: '2026-04-02',
      end_date_flagged: true,
    })
    await giveBack('1001')
  })

  it('lends for nothing with a reason of gratuity', async () => {
    const reasons = await biblio.get('/api/reasons?type|eq=free')
    const free_reason = reasons.body['hydra:member'][0].id
    const answer = await lend({ copy: 1, free: true, free_reason, amount: '4.00' })
    expect(answer.body).toMatchObject({ amount: '0.00', free: true, free_reason: { id: free_reason } })
    await giveBack('1001')
    const delay = await biblio.get('/api/reasons?type|eq=delay')
    const wrong = await lend({ copy: 1, free: true, free_reason: delay.body['hydra:member'][0].id })
    expect(wrong.body.violations).toEqual([
      { propertyPath: 'free_reason', message: 'Ce motif de gratuité n’existe pas.' },
    ])
  })

  it('lends through a relative of the reader, and only theirs', async () => {
    const answer = await biblio.post('/api/loanings', {
      beneficiary: 2,
      relative: '/api/relatives/1',
      copy: 1,
    })
    expect(answer.body.relative).toEqual({ id: 1, name: 'Zoé Dupont' })
    await giveBack('1001')
    const wrong = await lend({ copy: 1, relative: 1 })
    expect(wrong.body.violations[0].propertyPath).toBe('relative')
  })

  it('refuses whoever has left, with the reason, and lends all the same to a holder of the right', async () => {
    const refused = await biblio.post('/api/loanings', { beneficiary: 3, copy: 1 })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      reason: 'NOT_ELIGIBLE',
      violations: [{ propertyPath: 'beneficiary', message: 'L’inscription a pris fin le 01/01/2020.' }],
    })
    const explained = await biblio.get('/api/eligibility?beneficiary=3&copy=1&explain=1')
    expect(explained.body).toMatchObject({ eligible: false, reasons: [{ code: 'EXPIRED' }] })
    expect((await biblio.get('/api/eligibility?beneficiary=1&copy=1')).body).toBe(true)

    const forced = { beneficiary: 3, copy: 1, override_reason: 'Accord de la direction' }
    expect((await benevole.post('/api/loanings', forced)).status).toBe(403)
    const answer = await biblio.post('/api/loanings', forced)
    expect(answer.body.override_reason).toBe('Accord de la direction')
    await giveBack('1001')
  })

  it('counts the loans of a medium and the late ones', async () => {
    const first = await biblio.post('/api/loanings', { beneficiary: 4, copy: 11, ...from('2026-02-01') })
    expect(first.body).toMatchObject({ end_date: '2026-02-08', islate: true })
    const late = await biblio.post('/api/loanings', { beneficiary: 4, copy: 12 })
    expect(late.body.violations).toEqual([
      { propertyPath: 'beneficiary', message: 'Le lecteur a 1 prêt en retard (au plus 0).' },
    ])
    const extended = await biblio.post(`/api/loanings/${first.body.id}/extend`, { duration_value: 40 })
    expect(extended.body).toMatchObject({ end_date: '2026-03-20', duration_value: 47, islate: false })
    expect((await biblio.post('/api/loanings', { beneficiary: 4, copy: 12 })).status).toBe(201)
    const full = await biblio.post('/api/loanings', { beneficiary: 4, copy: 13 })
    expect(full.body.violations[0].message).toBe(
      'Le nombre de prêts en cours du support «\u00a0DVD\u00a0» est atteint (2).',
    )
  })

  it('lends fast, and answers a refusal as a sentence', async () => {
    const lent = await biblio.post('/api/loanings/fast', { beneficiary: 1, copy: 2 })
    expect(lent.status).toBe(201)
    const refused = await biblio.post('/api/loanings/fast', { beneficiary: 2, copy: 2 })
    expect([refused.status, refused.body]).toEqual([
      200,
      { error: '«\u00a0Livre numéro 2\u00a0» est déjà prêté à Alice Martin (M1), depuis le 10/03/2026.' },
    ])
  })

  it('does not lend fast over somebody who comes before', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (2, 7, 1), (1, 7, 2)`.execute(
      server.db,
    )
    const refused = await biblio.post('/api/loanings/fast', { beneficiary: 1, copy: 7 })
    expect([refused.status, refused.body]).toEqual([
      200,
      { error: 'Cet exemplaire est sujet à réservations' },
    ])
    expect((await biblio.post('/api/loanings/fast', { beneficiary: 2, copy: 7 })).status).toBe(201)
  })

  it('tells who waits, keeps their turn, and serves it', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (2, 3, 1)`.execute(
      server.db,
    )
    const refused = await lend({ copy: 3 })
    expect(refused.body).toMatchObject({
      reason: 'RESERVED',
      facts: { reservations: [{ beneficiary_id: 2 }] },
    })
    await lend({ copy: 3, despite_reservations: true })
    const returned = await giveBack('1003')
    expect(returned.body.reservation_reference).toBe(3)
    const served = await biblio.post('/api/loanings', {
      beneficiary: 2,
      copy: 3,
      despite_reservations: false,
    })
    expect(served.status).toBe(201)
    expect((await giveBack('1003')).body.reservation_reference).toBeUndefined()
  })

  it('leaves a reservation for other days to those days', async () => {
    const { id } = await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 1, reference_id: 5, start_date: '2026-06-01', end_date: '2026-06-30' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const servedBy = async () =>
      (
        await server.db
          .selectFrom('reservations')
          .select('fulfilled_by')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).fulfilled_by
    await lend({ copy: 5 })
    expect(await servedBy()).toBeNull()
    await giveBack('1005')
    const { body: loan } = await lend({ copy: 5, start_date: '2026-06-05' })
    expect(await servedBy()).toBe(loan.id)
  })

  it('changes start, comment and duration, and what follows from them', async () => {
    const { body: loan } = await lend({ copy: 4 })
    const changed = await biblio.put(`/api/loanings/${loan.id}`, {
      start_date: '2026-03-01',
      comment: 'À relier',
      duration_value: 2,
    })
    expect(changed.body).toMatchObject({ end_date: '2026-03-15', comment: 'À relier', amount: '0.50' })
    const refused = await biblio.put(`/api/loanings/${loan.id}`, { amount: '3.00' })
    expect(refused.body.violations[0].message).toBe('Le champ «\u00a0amount\u00a0» n’est pas connu.')
  })

  it('notes why a loan is late', async () => {
    const { body: loan } = await lend({ copy: 6 })
    const { body: reasons } = await biblio.get('/api/reasons?type|eq=delay')
    const delay_reason = reasons['hydra:member'][0]
    const answer = await biblio.post(`/api/loanings/${loan.id}/delay`, {
      delay_reason: delay_reason['@id'],
      delay_comment: 'En voyage',
    })
    expect(answer.body).toMatchObject({
      delay_reason: { name: delay_reason.name },
      delay_comment: 'En voyage',
    })
  })
})
