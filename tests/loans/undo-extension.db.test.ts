import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('undoing an extension', (server) => {
  let biblio: Client
  let copy = 0
  let loan = { id: 0, end_date: '', duration_value: 0, amount: '' }
  beforeEach(async () => {
    server.moveTo(testNow)
    biblio = await server.as('biblio')
    copy += 1
    loan = (await biblio.post('/api/loanings', { beneficiary: copy % 2 === 0 ? 2 : 1, copy })).body
  })
  const extend = async (duration_value = 1) =>
    (await biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value })).body as typeof loan
  const undo = (end_date: string, by = biblio) =>
    by.post(`/api/loanings/${loan.id}/undo_extension`, { end_date })
  const renewals = async () =>
    (await sql`select from loan_renewals where loaning = ${loan.id}`.execute(server.db)).rows.length
  const terms = ({ end_date, duration_value, amount }: typeof loan) => ({ end_date, duration_value, amount })

  it('gives the loan back its day, its duration and its amount, and counts no longer', async () => {
    const extended = await extend(2)
    expect(terms(extended)).not.toEqual(terms(loan))
    const { status, body } = await undo(extended.end_date)
    expect([status, terms(body)]).toEqual([200, terms(loan)])
    expect(await renewals()).toBe(0)
    const { body: journal } = await (
      await server.as('admin')
    ).get(`/api/journal?entity=loanings&id=${loan.id}`)
    expect(JSON.stringify(journal)).toContain('Prolongation reprise')
  })

  it('takes back one of several, once', async () => {
    const first = await extend()
    const second = await extend()
    expect(terms((await undo(second.end_date)).body)).toEqual(terms(first))
    // Pressed twice, it is one.
    expect(await undo(second.end_date)).toMatchObject({ status: 409, body: { reason: 'NOTHING_TO_UNDO' } })
    expect(await renewals()).toBe(1)
  })

  it('is for whoever extended, for ten minutes, and for a loan that is as it was left', async () => {
    const { end_date } = await extend()
    expect((await undo(end_date, await server.as('admin'))).body.reason).toBe('NOT_YOURS')
    expect((await undo(end_date, await server.as('benevole'))).status).toBe(403)
    server.moveTo('2026-03-10T09:11:00Z')
    expect((await undo(end_date)).body.reason).toBe('TOO_LATE')
    await biblio.post(`/api/loanings/${loan.id}/return`)
    expect((await undo(end_date)).body.reason).toBe('NOTHING_TO_UNDO')
  })
})
