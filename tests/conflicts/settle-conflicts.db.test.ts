import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { adoptEntries } from '../../src/offline/adopt-entries.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { importEntries } from '../../src/offline/import-entries.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import { actorOf, benevole, biblio, lending, record, returning, settingsOf } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'
import { at, conflictDesk } from './conflict-desk.ts'

describeServer('the conflict desk', (server) => {
  const desk = conflictDesk(server)
  const { clients, network, signInAs, send, refused, settle, loansOf, lendOnLine, settled, reserve } = desk

  it('never makes a second loan of what the same reader has already', async () => {
    await lendOnLine(1, 1, '2026-03-10T07:00:00Z')
    const made = await settle(await refused(lending(1, 1), 'ALREADY_LENT_TO_SAME'), 'ALREADY_RECORDED')
    expect(made.state).toBe('done')
    expect(await loansOf(1)).toHaveLength(1)
    expect(await settled()).toBe(1)
  })

  it('closes another reader’s loan at the time of this one, which is then made, its return following it', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const lend = await refused(lending(1, 1), 'ALREADY_LENT')
    const back = await record(returning(1, lend), biblio, at('08:30:00'))
    const made = await settle(lend, 'CLOSE_AND_LEND')
    expect(made).toMatchObject({
      state: 'done',
      receipt: { is_first: true, loaning: { status: 'in_progress' } },
    })
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 2, status: 'finished', returned_at: at('08:00:00').toISOString() },
      { beneficiary: 1, status: 'finished', lent_at: at('08:00:00').toISOString() },
    ])
    expect(await getEntry(back.id)).toMatchObject({ state: 'done', depends_on: made.id })
  })

  it('ends a loan that began later as it began, when the person says that this reader has the copy', async () => {
    await lendOnLine(1, 2, '2026-03-10T08:10:00Z')
    await settle(await refused(lending(1, 1), 'ALREADY_LENT'), 'CLOSE_AND_LEND')
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 1, status: 'in_progress' },
      { beneficiary: 2, status: 'finished', returned_at: '2026-03-10T08:10:00.000Z' },
    ])
  })

  it('asks again when the other side moved on since it was seen', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const lend = await refused(lending(1, 1), 'ALREADY_LENT')
    await clients['biblio']?.post('/api/loanings/return', { bar_code: '1001' })
    await lendOnLine(1, 4, '2026-03-10T08:40:00Z')
    const made = await settle(lend, 'CLOSE_AND_LEND')
    expect(made).toMatchObject({
      state: 'conflict',
      problem: { reason: 'ALREADY_LENT', facts: { loaning: { beneficiary: 4 } } },
    })
    expect(await settled()).toBe(0)
    // The new refusal is settled in its turn, and is still the same conflict.
    const again = await settle(made, 'NOT_HANDED_OVER')
    expect(again).toMatchObject({ state: 'done', receipt: { resolves: lend.id } })
    expect((await loansOf(1)).filter(({ status }) => status === 'in_progress')).toMatchObject([
      { beneficiary: 4 },
    ])
  })

  it('notes that a copy was not handed over, and puts its return before the person', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const lend = await refused(lending(1, 1), 'ALREADY_LENT')
    const back = await record(returning(1, lend), biblio, at('08:30:00'))
    await settle(lend, 'NOT_HANDED_OVER')
    expect(await getEntry(back.id)).toMatchObject({ state: 'conflict', problem: { reason: 'LOAN_NOT_MADE' } })
    expect(await loansOf(1)).toMatchObject([{ beneficiary: 2, status: 'in_progress' }])
    await settle((await getEntry(back.id)) as Entry, 'RETURN_FOR_HOLDER')
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 2, status: 'finished', returned_at: at('08:30:00').toISOString() },
    ])
  })

  it('notes a return without a loan, and one older than a newer loan, which stays', async () => {
    expect(await settle(await refused(returning(2), 'NO_OPEN_LOAN'), 'SEEN_ON_SHELF')).toMatchObject({
      state: 'done',
    })
    await lendOnLine(3, 2, '2026-03-10T08:20:00Z')
    await settle(await refused(returning(3), 'NEWER_LOAN'), 'KEEP_NEWER')
    expect(await loansOf(3)).toMatchObject([{ beneficiary: 2, status: 'in_progress' }])
  })

  it('sets a reserved copy aside, or lends it anyway when whoever may lend confirms it', async () => {
    await reserve(4, 2)
    const reserved = (n: number) => lending(n, 1, { body: { despite_reservations: false } })
    await settle(await refused(reserved(4), 'RESERVED'), 'SET_ASIDE_FOR_READER')
    expect(await loansOf(4)).toHaveLength(0)
    await signInAs(benevole)
    const lend = await refused(reserved(4), 'RESERVED', at('08:00:00'), benevole)
    await settle(lend, 'LEND_DESPITE_RESERVATION', {}, benevole)
    expect(await loansOf(4)).toMatchObject([{ beneficiary: 1, status: 'in_progress' }])
  })

  it('lends to a reader whom the rules refuse with a motive and the right, or calls the copy back', async () => {
    await settle(await refused(lending(5, 3), 'NOT_ELIGIBLE'), 'OVERRIDE', { motive: 'Vu avec la direction' })
    await settle(await refused(lending(6, 3), 'NOT_ELIGIBLE'), 'RECALL')
    expect(await loansOf(5)).toMatchObject([{ end_date: '2026-03-31' }])
    expect(await loansOf(6)).toMatchObject([{ end_date: '2026-03-10', status: 'in_progress' }])
  })

  it('refuses a choice to whoever lacks its right, and keeps the conflict', async () => {
    const entry = await refused(lending(5, 3), 'NOT_ELIGIBLE')
    await signInAs(benevole)
    const made = await settleEntry(entry.id, { choice: 'OVERRIDE', motive: 'Essai' }, await actorOf(benevole))
    await send()
    expect(await getEntry(made?.id ?? '')).toMatchObject({ state: 'conflict', problem: { code: 403 } })
    expect(await settled()).toBe(0)
    expect(await loansOf(5)).toHaveLength(0)
  })

  it('links an unknown or withdrawn copy to the one that is meant, or notes the return', async () => {
    await lendOnLine(7, 1, '2026-03-10T07:00:00Z')
    const unknown = {
      ...returning(7),
      copy_id: null,
      bar_code: 'sans-étiquette',
      body: { bar_code: 'sans-étiquette' },
    }
    await settle(await refused(unknown, 'COPY_UNKNOWN'), 'LINK_RETURN', { bar_code: '1007' })
    expect(await loansOf(7)).toMatchObject([
      { status: 'finished', returned_at: at('08:00:00').toISOString() },
    ])
    await settle(await refused(unknown, 'COPY_UNKNOWN'), 'RECORD_UNKNOWN_RETURN')
    await sql`update copies set deleted_at = now() where id = 8`.execute(server.db)
    await settle(await refused(lending(8), 'COPY_WITHDRAWN'), 'LINK_LEND', { bar_code: '1009' })
    expect(await loansOf(9)).toMatchObject([{ beneficiary: 1, status: 'in_progress' }])
  })

  it('asks for the date of what a clock days off has dated', async () => {
    const stamped: DeviceFetch = async (path, init) => {
      const response = await network(path, init)
      response.headers.set('date', server.now.toUTCString())
      return response
    }
    const { id } = await record(lending(1), biblio, new Date('2026-03-07T08:00:00Z'))
    const slow = { ...settingsOf(stamped), now: () => Date.parse('2026-03-07T09:00:00Z') }
    await drain(slow)
    expect(await getEntry(id)).toMatchObject({
      state: 'conflict',
      attempts: 0,
      problem: { reason: 'CLOCK_OFF', facts: { corrected_at: expect.stringMatching(/^2026-03-10T0[78]:/) } },
    })
    await settleEntry(
      id,
      { choice: 'DATE_LEND', happened_at: '2026-03-10T08:00:00.000Z' },
      await actorOf(biblio),
    )
    await drain(slow)
    expect(await loansOf(1)).toMatchObject([{ lent_at: '2026-03-10T08:00:00.000Z' }])
  })

  it('settles once what two devices settle, and tells the second what the first chose', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const entry = await refused(lending(1, 1), 'ALREADY_LENT')
    const body = {
      resolves: entry.id,
      action: { endpoint: 'loanings.lend', body: JSON.parse(entry.frozen_body) as object },
    }
    const [one, other] = await Promise.all([
      clients['biblio']?.post('/api/conflicts/settle', { ...body, choice: 'CLOSE_AND_LEND' }),
      clients['admin']?.post('/api/conflicts/settle', { ...body, choice: 'NOT_HANDED_OVER' }),
    ])
    expect([one?.status, other?.status]).toEqual([200, 200])
    expect(one?.body.choice).toBe(other?.body.choice)
    expect([one?.body.is_first, other?.body.is_first].toSorted()).toEqual([false, true])
    expect(await settled()).toBe(1)
    const made = await settle(entry, 'NOT_HANDED_OVER')
    expect(made).toMatchObject({ state: 'done', receipt: { is_first: false, choice: one?.body.choice } })
  })

  it('refuses a choice that does not fit the action', async () => {
    const answer = await clients['biblio']?.post('/api/conflicts/settle', {
      resolves: '6f1c1f0e-0000-4000-8000-000000000001',
      choice: 'RETURN_FOR_HOLDER',
      action: { endpoint: 'loanings.lend', body: { copy: 1, beneficiary: 1 } },
    })
    expect(answer).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'choice' }] } })
  })

  it('lets a holder of the right take over what another person left, both names in the journal', async () => {
    const entry = await record(lending(1), benevole, at('08:00:00'))
    await send()
    expect(await getEntry(entry.id)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await adoptEntries('1/3', await actorOf(biblio), at('08:50:00'))).toBe(1)
    await send()
    expect(await getEntry(entry.id)).toMatchObject({
      state: 'done',
      username: 'benevole',
      adopted_by: { username: 'biblio' },
    })
    const { rows } =
      await sql`select j.user_id, j.on_behalf_of from audit_journal j where action = 'loan.lend'`.execute(
        server.db,
      )
    expect(rows).toEqual([{ user_id: 2, on_behalf_of: 3 }])
  })

  it('keeps both names of what was taken over when it is settled', async () => {
    await lendOnLine(1, 2, '2026-03-09T15:00:00Z')
    const { id } = await record(lending(1), benevole, at('08:00:00'))
    await adoptEntries('1/3', await actorOf(biblio), at('08:50:00'))
    await send()
    const made = await settle((await getEntry(id)) as Entry, 'CLOSE_AND_LEND')
    expect(made).toMatchObject({
      state: 'done',
      username: 'benevole',
      adopted_by: { username: 'biblio' },
      receipt: { settled_by: 'biblio' },
    })
    const { rows } =
      await sql`select user_id, on_behalf_of from audit_journal where action = 'conflict.settle'`.execute(
        server.db,
      )
    expect(rows).toEqual([{ user_id: 2, on_behalf_of: 3 }])
  })

  it('does not let whoever lacks the right act for another', async () => {
    const headers = { 'x-on-behalf-of': '2' }
    const answer = await clients['benevole']?.post('/api/loanings', { copy: 1, beneficiary: 1 }, { headers })
    expect(answer?.status).toBe(403)
    const nobody = await clients['biblio']?.post(
      '/api/loanings',
      { copy: 1, beneficiary: 1 },
      { headers: { 'x-on-behalf-of': '999' } },
    )
    expect(nobody?.status).toBe(400)
  })

  it('imports an exported queue on a wiped device, twice without effect', async () => {
    const lend = await record(lending(1), biblio, at('08:00:00'))
    await record(returning(1, lend), biblio, at('08:10:00'))
    await record(lending(2), benevole, at('08:20:00'))
    const file = await exportEntries()
    indexedDB.deleteDatabase('comptoir')
    const { closeStore } = await import('../../src/offline/device-store.ts')
    await closeStore()
    globalThis.indexedDB = new (await import('fake-indexeddb')).IDBFactory()
    await signInAs(biblio)
    expect(await importEntries(file, biblio)).toEqual({ added: 3, known: 0 })
    expect(await importEntries(file, biblio)).toEqual({ added: 0, known: 3 })
    await send()
    expect(await importEntries(file, biblio)).toEqual({ added: 0, known: 3 })
    await send()
    expect((await listEntries()).map(({ state }) => state)).toEqual(['done', 'done', 'conflict'])
    expect(await loansOf(1)).toMatchObject([{ status: 'finished' }])
  })

  it.each([
    ['no JSON', 'bonjour'],
    ['another file', '{"format":"autre"}'],
    ['a damaged one', '{"format":"comptoir-outbox","v":1,"entries":[{"id":"x"}]}'],
  ])('refuses to import %s', async (_, text) => {
    await expect(importEntries(text, biblio)).rejects.toThrow(/Ce fichier/)
    expect(await listEntries()).toEqual([])
  })

  it('refuses another organisation’s queue', async () => {
    await record(lending(1), biblio, at('08:00:00'))
    await expect(importEntries(await exportEntries(), { ...biblio, environment_id: 2 })).rejects.toThrow(
      /autre organisation/,
    )
  })
})
