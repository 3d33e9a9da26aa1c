import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'

import { occurredAtHeader } from '../../src/contract/seal.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('ends of a loan', (server) => {
  let biblio: Client
  let copy = 0
  const code = () => String(1000 + copy)
  beforeEach(async () => {
    server.moveTo(testNow)
    biblio = await server.as('biblio')
    copy += 1
  })
  const lend = async (body: object = {}) =>
    (await biblio.post('/api/loanings', { beneficiary: 1, copy, ...body })).body
  const statusOfCopy = async () =>
    (await server.db.selectFrom('copies').select('status').where('id', '=', copy).executeTakeFirstOrThrow())
      .status

  it('cancels whatever is not returned, the days after as well', async () => {
    const loan = await lend()
    server.moveTo('2026-03-12T08:00:00Z')
    biblio = await server.as('biblio')
    const benevole = await server.as('benevole')
    expect((await benevole.post(`/api/loanings/${loan.id}/cancel`)).status).toBe(403)
    expect((await biblio.post(`/api/loanings/${loan.id}/cancel`)).body.status).toBe('cancelled')
    expect(await statusOfCopy()).toBe('Disponible')
    expect((await biblio.post(`/api/loanings/${loan.id}/cancel`)).body.reason).toBe('NOT_IN_PROGRESS')
  })

  it('deletes from the lists and keeps the journal', async () => {
    const admin = await server.as('admin')
    const loan = await lend()
    expect((await admin.delete(`/api/loanings/${loan.id}`)).status).toBe(204)
    expect((await admin.get(`/api/loanings/${loan.id}`)).status).toBe(404)
    expect(await statusOfCopy()).toBe('Disponible')
    const journal = await sql<{ action: string; username: string }>`
      select j.action, u.username::text as username from audit_journal j join users u on u.id = j.user_id
      where entity = 'loanings' and entity_id = ${loan.id} order by j.id`.execute(server.db)
    expect(journal.rows).toEqual([
      { action: 'loan.lend', username: 'biblio' },
      { action: 'loan.delete', username: 'admin' },
    ])
  })

  it('dates an action whose body does not say when it happened by what its device says beside it', async () => {
    const lent = (when: string) =>
      biblio.post(
        '/api/loanings',
        { beneficiary: 1, copy },
        { headers: { [occurredAtHeader]: when }, key: 'c0ffee00-0000-4000-8000-00000000000a' },
      )
    const { body } = await lent('2026-03-08T22:30:00Z')
    expect(body).toMatchObject({ start_date: '2026-03-08', lent_at: '2026-03-08T22:30:00.000Z' })
    // Told again it is the same action, whatever stands beside it.
    expect((await lent('hier')).body).toEqual(body)
  })

  it('dates an action made off line when it happened, within bounds', async () => {
    const occurred_at = '2026-03-08T22:30:00Z'
    const loan = await lend({ occurred_at })
    // Half past eleven in Paris: still the 8th.
    expect(loan).toMatchObject({ start_date: '2026-03-08', lent_at: '2026-03-08T22:30:00.000Z' })
    const returned = await biblio.post('/api/loanings/return', {
      bar_code: code(),
      occurred_at: '2026-03-08T23:30:00Z',
    })
    expect(returned.body.return_date).toBe('2026-03-09')
    const tooOld = await biblio.post('/api/loanings', {
      beneficiary: 1,
      copy,
      occurred_at: '2026-02-01T00:00:00Z',
    })
    expect(tooOld.body.violations[0]).toEqual({
      propertyPath: 'occurred_at',
      message: 'L’action date de plus de 30 jours.',
    })
    const ahead = await biblio.post('/api/loanings', {
      beneficiary: 1,
      copy,
      occurred_at: '2026-03-10T09:06:00Z',
    })
    expect(ahead.body.violations[0].propertyPath).toBe('occurred_at')
  })

  it('never closes a newer loan by an older return', async () => {
    await lend({ occurred_at: '2026-03-10T08:00:00Z' })
    const returned = await biblio.post('/api/loanings/return', {
      bar_code: code(),
      occurred_at: '2026-03-10T07:00:00Z',
    })
    expect(returned.body).toMatchObject({ reason: 'NEWER_LOAN', facts: { loaning: { beneficiary: 1 } } })
  })

  it('never closes a newer loan by an older return that says its hour beside its body', async () => {
    await lend({ occurred_at: '2026-03-10T08:00:00Z' })
    const returned = await biblio.post(
      '/api/loanings/return',
      { bar_code: code() },
      { headers: { 'X-Occurred-At': '2026-03-10T07:00:00.000Z' } },
    )
    expect(returned.body).toMatchObject({ reason: 'NEWER_LOAN' })
  })

  it('never closes another reader’s loan by the return of a loan that was refused', async () => {
    await lend({ beneficiary: 2 })
    const refused = '0b6d2c62-6f2a-4f6e-9a55-3c8d4d0f4f11'
    await biblio.post('/api/loanings', { beneficiary: 1, copy }, { key: refused })
    const returned = await biblio.post('/api/loanings/return', { bar_code: code(), loan_key: refused })
    expect(returned.body).toMatchObject({ reason: 'LOAN_NOT_MADE', facts: { loaning: { beneficiary: 2 } } })
    expect(await statusOfCopy()).toBe('En Location')
  })

  it('never closes another reader’s loan by the return of one that was closed before', async () => {
    const { id } = await lend({ beneficiary: 1 })
    await biblio.post('/api/loanings/return', { bar_code: code() })
    const since = await lend({ beneficiary: 2 })
    const returned = await biblio.post(`/api/loanings/${id}/return`, { penalty: false })
    expect(returned.body).toMatchObject({ reason: 'ALREADY_RETURNED', facts: { loaning: { id } } })
    expect(returned.body.message).toMatch(/ a été rendu et prêté à Éric Dupont \(M2\) depuis\.$/)
    expect(await biblio.get(`/api/loanings/${since.id}`)).toMatchObject({ body: { status: 'in_progress' } })
  })

  it('waives a penalty when asked', async () => {
    await lend({ start_date: '2026-01-01', override_reason: 'Reprise du cahier' })
    const returned = await biblio.post('/api/loanings/return', { bar_code: code(), penalty: false })
    expect(returned.body).toMatchObject({ islate: true, penalty_amount: null })
  })

  it('grants the days of grace of the parameter', async () => {
    await sql`update parameters set value = '3' where code = 'delay_days_number_before_penalize'`.execute(
      server.db,
    )
    const { forgetParameters } = await import('../../src/server/library-facts/parameters.ts')
    forgetParameters(server.environment)
    await lend({ copy: 10, start_date: '2026-02-14' })
    const returned = await biblio.post('/api/loanings/return', { bar_code: '1010' })
    expect(returned.body).toMatchObject({ end_date: '2026-03-07', islate: true, penalty_amount: null })
  })
})
