import { beforeEach, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('undoing a loan or its return', (server) => {
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

  it('takes back a loan within ten minutes, by the person who made it', async () => {
    const loan = await lend()
    const other = await server.as('benevole')
    expect((await other.post(`/api/loanings/${loan.id}/undo`)).body.reason).toBe('NOT_YOURS')
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.status).toBe('cancelled')
    expect(await statusOfCopy()).toBe('Disponible')
  })

  it('takes back a return, with the state the copy had', async () => {
    const loan = await lend()
    await biblio.post('/api/loanings/return', { bar_code: code(), state: 'UNUSABLE' })
    expect(await statusOfCopy()).toBe('Non Disponible')
    const undone = await biblio.post(`/api/loanings/${loan.id}/undo`)
    expect(undone.body).toMatchObject({ status: 'in_progress', return_date: null, copy_state: 'VERY_GOOD' })
    expect(await statusOfCopy()).toBe('En Location')
  })

  it('takes back what the person means, and not the event before it', async () => {
    const loan = await lend()
    await biblio.post('/api/loanings/return', { bar_code: code() })
    const undo = (expects: string) => biblio.post(`/api/loanings/${loan.id}/undo`, { expects })
    expect(await undo('lend')).toMatchObject({ status: 409, body: { reason: 'NOT_LAST' } })
    expect((await undo('return')).body.status).toBe('in_progress')
    // The lend before it is not taken back by a second click.
    expect(await undo('return')).toMatchObject({
      status: 409,
      body: { reason: 'NOT_LAST', message: 'Ce retour est déjà annulé.' },
    })
    expect((await undo('lend')).body.status).toBe('cancelled')
  })

  it('takes nothing back after ten minutes, nor once the copy served again', async () => {
    const loan = await lend()
    server.moveTo('2026-03-10T09:11:00Z')
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.reason).toBe('TOO_LATE')
    await biblio.post(`/api/loanings/${loan.id}/return`)
    await lend({ beneficiary: 2 })
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.reason).toBe('COPY_MOVED_ON')
  })

  it('keeps what a later loan of the copy did, though it is over', async () => {
    const loan = await lend()
    await biblio.post(`/api/loanings/${loan.id}/return`)
    const benevole = await server.as('benevole')
    await benevole.post('/api/loanings', { beneficiary: 2, copy })
    await benevole.post('/api/loanings/return', { bar_code: code(), state: 'DAMAGED' })
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.reason).toBe('COPY_MOVED_ON')
    const { state } = await server.db
      .selectFrom('copies')
      .select('state')
      .where('id', '=', copy)
      .executeTakeFirstOrThrow()
    expect(state).toBe('DAMAGED')
  })

  it('leaves a return as it is once its copy was weeded', async () => {
    const loan = await lend()
    await biblio.post(`/api/loanings/${loan.id}/return`)
    const admin = await server.as('admin')
    await admin.post('/api/weeding/cart', { copies: [copy] })
    expect((await admin.post('/api/weeding/withdraw', { reason: 'destroyed' })).status).toBe(202)
    await server.doJobs()
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.reason).toBe('COPY_MOVED_ON')
  })

  it('takes a return back though the copy was lent since, when that was taken back too', async () => {
    const loan = await lend()
    await biblio.post(`/api/loanings/${loan.id}/return`)
    const later = await lend({ beneficiary: 2 })
    await biblio.post(`/api/loanings/${later.id}/undo`)
    expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).body.status).toBe('in_progress')
  })
})
