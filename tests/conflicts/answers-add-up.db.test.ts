import { sql } from 'kysely'
import { expect, it } from 'vitest'

import type { SettleChoice } from '../../src/domain/settle-choice-codes.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { newKey } from '../../src/offline/new-key.ts'
import { benevole, biblio, lending, returning } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'
import { at, conflictDesk } from './conflict-desk.ts'

describeServer('answers to refusals that follow one another', (server) => {
  const { clients, signInAs, refused, settle, loansOf, lendOnLine, reserve } = conflictDesk(server)

  /** Makes a choice that is refused in its turn. */
  async function settleInVain(
    entry: Entry,
    choice: SettleChoice,
    reason: string,
    more: Parameters<typeof settle>[2] = {},
    person = biblio,
  ): Promise<Entry> {
    const made = await settle(entry, choice, more, person)
    expect(made).toMatchObject({ state: 'conflict', problem: { reason } })
    return made
  }
  /** Too old for the server to believe its date. */
  const wronglyDated = new Date('2026-01-05T08:00:00Z')

  it('keeps the motive of a loan that then meets a reservation', async () => {
    await reserve(4, 2)
    const lend = await refused(lending(4, 3, { body: { despite_reservations: false } }), 'NOT_ELIGIBLE')
    const reserved = await settleInVain(lend, 'OVERRIDE', 'RESERVED', { motive: 'Vu avec la direction' })
    expect(await settle(reserved, 'LEND_DESPITE_RESERVATION')).toMatchObject({ state: 'done' })
    const { rows } = await sql`select beneficiary, override_reason from loanings`.execute(server.db)
    expect(rows).toEqual([{ beneficiary: 3, override_reason: 'Vu avec la direction' }])
  })

  it.each([
    ['with a motive', 'OVERRIDE', { motive: 'Vu avec la direction' }, '2026-03-31'],
    ['calling the copy back', 'RECALL', {}, '2026-03-10'],
  ] as const)('closes the other loan when the reader is then refused and passes %s', async (...told) => {
    const [, choice, more, end_date] = told
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const ineligible = await settleInVain(
      await refused(lending(1, 3), 'ALREADY_LENT'),
      'CLOSE_AND_LEND',
      'NOT_ELIGIBLE',
    )
    expect(await loansOf(1)).toMatchObject([{ status: 'in_progress' }])
    expect(await settle(ineligible, choice, more)).toMatchObject({ state: 'done' })
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 2, status: 'finished', returned_at: at('08:00:00').toISOString() },
      { beneficiary: 3, status: 'in_progress', lent_at: at('08:00:00').toISOString(), end_date },
    ])
  })

  it('asks again before it closes a third loan that came between two answers', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const ineligible = await settleInVain(
      await refused(lending(1, 3), 'ALREADY_LENT'),
      'CLOSE_AND_LEND',
      'NOT_ELIGIBLE',
    )
    await clients['biblio']?.post('/api/loanings/return', { bar_code: '1001' })
    await lendOnLine(1, 4, '2026-03-10T08:40:00Z')
    const lent = await settleInVain(ineligible, 'OVERRIDE', 'ALREADY_LENT', { motive: 'Vu' })
    expect(await settle(lent, 'CLOSE_AND_LEND')).toMatchObject({ state: 'done' })
    expect((await loansOf(1)).filter(({ status }) => status === 'in_progress')).toMatchObject([
      { beneficiary: 3 },
    ])
  })

  it('keeps the date that the person gave, for the loan and for the one that makes way', async () => {
    await lendOnLine(1, 2, '2026-03-01T15:00:00Z')
    const undated = await refused(lending(1, 1), null, wronglyDated)
    const lent = await settleInVain(undated, 'DATE_LEND', 'ALREADY_LENT', {
      happened_at: '2026-03-09T10:00:00.000Z',
    })
    await settle(lent, 'CLOSE_AND_LEND')
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 2, status: 'finished', returned_at: '2026-03-09T10:00:00.000Z' },
      { beneficiary: 1, status: 'in_progress', lent_at: '2026-03-09T10:00:00.000Z' },
    ])
  })

  it('keeps the copy that the person linked', async () => {
    await lendOnLine(9, 2, '2026-03-09T15:00:00Z')
    await sql`update copies set deleted_at = now() where id = 8`.execute(server.db)
    const lent = await settleInVain(
      await refused(lending(8), 'COPY_WITHDRAWN'),
      'LINK_LEND',
      'ALREADY_LENT',
      { bar_code: '1009' },
    )
    await settle(lent, 'CLOSE_AND_LEND')
    expect(await loansOf(8)).toEqual([])
    expect(await loansOf(9)).toMatchObject([
      { beneficiary: 2, status: 'finished' },
      { beneficiary: 1, status: 'in_progress' },
    ])
  })

  it('asks for another copy when the code that was typed is nobody’s', async () => {
    await sql`update copies set deleted_at = now() where id = 8`.execute(server.db)
    const mistyped = await settle(await refused(lending(8), 'COPY_WITHDRAWN'), 'LINK_LEND', {
      bar_code: 'personne',
    })
    expect(mistyped).toMatchObject({ state: 'conflict', problem: { code: 422 } })
    await settle(mistyped, 'LINK_LEND', { bar_code: '1009' })
    expect(await loansOf(9)).toMatchObject([{ beneficiary: 1, status: 'in_progress' }])
  })

  it('keeps the date of a return whose copy is then linked', async () => {
    await lendOnLine(7, 1, '2026-03-01T07:00:00Z')
    const unknown = {
      ...returning(7),
      copy_id: null,
      bar_code: 'sans-étiquette',
      body: { bar_code: 'sans-étiquette' },
    }
    const undated = await refused(unknown, 'COPY_UNKNOWN', wronglyDated)
    const linked = await settle(undated, 'LINK_RETURN', { bar_code: '1007' })
    expect(linked).toMatchObject({ state: 'conflict', problem: { code: 422 } })
    expect(await settle(linked, 'DATE_RETURN', { happened_at: '2026-03-09T10:00:00.000Z' })).toMatchObject({
      state: 'done',
    })
    expect(await loansOf(7)).toMatchObject([{ status: 'finished', returned_at: '2026-03-09T10:00:00.000Z' }])
  })

  it('lends when the loan that was to be closed is returned meanwhile', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const lend = await refused(lending(1, 1), 'ALREADY_LENT')
    await clients['biblio']?.post('/api/loanings/return', { bar_code: '1001' })
    expect(await settle(lend, 'CLOSE_AND_LEND')).toMatchObject({ state: 'done' })
    expect(await loansOf(1)).toContainEqual(
      expect.objectContaining({ beneficiary: 1, lent_at: at('08:00:00').toISOString() }),
    )
  })

  it('drops the days told by a wrong clock before the real one, and flags the loan', async () => {
    const told = { start_date: '2026-01-05', expected_return_date: '2026-01-26' }
    const undated = await refused(lending(1, 1, { body: told }), null, wronglyDated)
    const made = await settle(undated, 'DATE_LEND', { happened_at: '2026-03-09T10:00:00.000Z' })
    expect(made).toMatchObject({
      state: 'done',
      receipt: {
        loaning: { start_date: '2026-03-09', end_date: '2026-03-30', end_date_flagged: true },
      },
    })
  })

  it('keeps the days that the real one leaves possible', async () => {
    const told = { expected_return_date: '2026-03-26' }
    const undated = await refused(lending(1, 1, { body: told }), null, wronglyDated)
    await settle(undated, 'DATE_LEND', { happened_at: '2026-03-09T10:00:00.000Z' })
    expect(await loansOf(1)).toMatchObject([{ end_date: '2026-03-26' }])
  })

  it('calls a copy back without a right only for the reader and copy that were refused', async () => {
    await signInAs(benevole)
    const recall = (resolves: string, copy: number) =>
      clients['benevole']?.post('/api/conflicts/settle', {
        resolves,
        choice: 'RECALL',
        action: { endpoint: 'loanings.lend', body: { copy, beneficiary: 3 } },
      })
    const forged = { status: 422, body: { reason: 'NOT_ELIGIBLE' } }
    expect(await recall(newKey(), 5)).toMatchObject(forged)
    const lend = await refused(lending(5, 3), 'NOT_ELIGIBLE', at('08:00:00'), benevole)
    expect(await recall(lend.id, 6)).toMatchObject(forged)
    expect(await loansOf(5)).toEqual([])
    expect(await loansOf(6)).toEqual([])
    expect(await settle(lend, 'RECALL', {}, benevole)).toMatchObject({ state: 'done' })
    expect(await loansOf(5)).toMatchObject([{ end_date: '2026-03-10', status: 'in_progress' }])
  })

  it('calls a copy back without a right after another refusal of the same loan', async () => {
    await signInAs(benevole)
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const lend = await refused(lending(1, 3), 'ALREADY_LENT', at('08:00:00'), benevole)
    const ineligible = await settleInVain(lend, 'CLOSE_AND_LEND', 'NOT_ELIGIBLE', {}, benevole)
    expect(await settle(ineligible, 'RECALL', {}, benevole)).toMatchObject({ state: 'done' })
  })

  it('holds earlier answers to the rights of each', async () => {
    const answer = await clients['benevole']?.post('/api/conflicts/settle', {
      resolves: newKey(),
      choice: 'LEND_DESPITE_RESERVATION',
      action: { endpoint: 'loanings.lend', body: { copy: 5, beneficiary: 3 } },
      earlier: [{ choice: 'OVERRIDE', motive: 'Essai' }],
    })
    expect(answer).toMatchObject({ status: 403, body: { reason: 'RIGHT_MISSING' } })
  })
})
