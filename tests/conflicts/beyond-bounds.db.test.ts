import { expect, it } from 'vitest'

import { drain } from '../../src/offline/drain.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import { actorOf, benevole, biblio, lending, record, returning, settingsOf } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'
import { at, conflictDesk } from './conflict-desk.ts'

// What a device kept before the bounds of a loan were known to it, from the device to the desk.
describeServer('a loan of the outbox beyond the bounds', (server) => {
  const desk = conflictDesk(server)
  const { clients, network, signInAs, refused, settle, loansOf, settled } = desk
  const keptBefore = (body: object, beneficiary = 1) =>
    refused(lending(1, beneficiary, { body: { ...body } }), 'BEYOND_BOUNDS', at('08:00:00'), benevole)
  const untilFar = { expected_return_date: '2035-03-10' }

  it('is put before a person, with the bound that it passes', async () => {
    await signInAs(benevole)
    expect(await keptBefore(untilFar)).toMatchObject({
      problem: {
        code: 422,
        facts: {
          bounds: [{ bound: 'longest_loan_days', days: 366, limit: '2027-03-11' }],
          violations: [{ propertyPath: 'expected_return_date' }],
        },
      },
    })
    expect(await loansOf(1)).toEqual([])
  })

  it.each([
    ['a due date', untilFar, '2026-03-10', '2026-03-31'],
    ['a duration', { duration_value: 110, duration_type: 'MONTH' }, '2026-03-10', '2026-03-31'],
    [
      'a start',
      { start_date: '2026-01-05', duration_value: 2, duration_type: 'WEEK' },
      '2026-03-10',
      '2026-03-24',
    ],
    [
      'a start and the due date told then',
      { start_date: '2026-01-05', expected_return_date: '2026-01-26' },
      '2026-03-10',
      '2026-03-31',
    ],
    [
      'a start alone',
      { start_date: '2026-01-05', expected_return_date: '2026-04-02' },
      '2026-03-10',
      '2026-04-02',
    ],
  ])('is lent within them by anyone, %s giving way to the rules', async (_, body, start_date, end_date) => {
    await signInAs(benevole)
    const made = await settle(await keptBefore(body), 'LEND_WITHIN_BOUNDS', {}, benevole)
    expect(made).toMatchObject({
      state: 'done',
      receipt: { loaning: { start_date, end_date, end_date_flagged: true } },
    })
    expect(await loansOf(1)).toContainEqual(
      expect.objectContaining({ lent_at: at('08:00:00').toISOString() }),
    )
  })

  it('is lent as it was with a motive and the right, and not without the right', async () => {
    await signInAs(benevole)
    const lend = await keptBefore(untilFar)
    const tried = await settleEntry(
      lend.id,
      { choice: 'OVERRIDE', motive: 'Pour voir' },
      await actorOf(benevole),
    )
    await drain(settingsOf(network))
    expect(await getEntry(tried?.id ?? '')).toMatchObject({ state: 'conflict', problem: { code: 403 } })
    expect(await loansOf(1)).toEqual([])

    await signInAs(biblio)
    const own = await refused(lending(2, 1, { body: untilFar }), 'BEYOND_BOUNDS')
    await settle(own, 'OVERRIDE', { motive: 'Dépôt de longue durée' })
    expect(await loansOf(2)).toMatchObject([{ end_date: '2035-03-10', status: 'in_progress' }])
  })

  it('is noted as not handed over, and its return put before the person', async () => {
    await signInAs(benevole)
    const lend = await keptBefore(untilFar)
    const back = await record(returning(1, lend), benevole, at('08:30:00'))
    await settle(lend, 'NOT_HANDED_OVER', {}, benevole)
    expect(await loansOf(1)).toEqual([])
    expect(await settled()).toBe(1)
    expect(await getEntry(back.id)).toMatchObject({ problem: { reason: 'LOAN_NOT_MADE' } })
  })

  it('is followed by its return when it is lent within them', async () => {
    await signInAs(benevole)
    const lend = await keptBefore(untilFar)
    const back = await record(returning(1, lend), benevole, at('08:30:00'))
    const made = await settle(lend, 'LEND_WITHIN_BOUNDS', {}, benevole)
    expect(await getEntry(back.id)).toMatchObject({ state: 'done', depends_on: made.id })
    expect(await loansOf(1)).toMatchObject([{ status: 'finished' }])
  })

  it('is still refused to a reader whom the rules refuse, and called back without passing the bounds', async () => {
    await signInAs(benevole)
    const lend = await keptBefore({ start_date: '2026-01-05' }, 3)
    expect(lend.problem?.facts?.['violations']).toMatchObject([
      { propertyPath: 'start_date' },
      { propertyPath: 'beneficiary' },
    ])
    const ineligible = await settle(lend, 'LEND_WITHIN_BOUNDS', {}, benevole)
    expect(ineligible).toMatchObject({ state: 'conflict', problem: { reason: 'NOT_ELIGIBLE' } })
    // The same refusal, of a loan that says more.
    const passed = await clients['benevole']?.post('/api/conflicts/settle', {
      resolves: lend.id,
      refused: ineligible.id,
      choice: 'RECALL',
      action: { endpoint: 'loanings.lend', body: JSON.parse(lend.frozen_body) as object },
    })
    expect(passed).toMatchObject({
      status: 200,
      body: { loaning: { start_date: '2026-03-10', end_date: '2026-03-10', end_date_flagged: true } },
    })
  })

  it('counts its start from the day it was made, however long it waited', async () => {
    await signInAs(benevole)
    const { id } = await record(
      lending(1, 1, { body: { start_date: '2026-01-15' } }),
      benevole,
      new Date('2026-02-12T08:00:00Z'),
    )
    await drain(settingsOf(network))
    expect(await getEntry(id)).toMatchObject({ state: 'done', receipt: { start_date: '2026-01-15' } })
  })
})
