import { beforeEach, describe, expect, it } from 'vitest'

import type { SettleChoice } from '../../src/domain/settle-choice-codes.ts'
import type { Actor, Entry, EntryState } from '../../src/offline/entry.ts'
import { getEntry, listUnsettled } from '../../src/offline/outbox.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import {
  actorOf,
  benevole,
  biblio,
  change,
  freshDevice,
  keepMeta,
  lending,
  outboxNews,
  record,
  returning,
  signIn,
} from './device.ts'

freshDevice()
const at = new Date('2026-03-10T09:00:00Z')
let actor: Actor
beforeEach(async () => {
  await signIn()
  actor = await actorOf(biblio)
})

const problem = { code: 409, reason: 'ALREADY_LENT', message: 'Non.', facts: { loaning: { id: 7 } } } as const
const refuse = (entry: Entry) => change(entry, { state: 'conflict', attempts: 1, problem })
const refusedLend = async () => refuse(await record(lending(1)))
const settle = async (entry: Entry, choice: SettleChoice, more = {}) =>
  (await settleEntry(entry.id, { choice, ...more }, actor, at)) as Entry

describe('settleEntry', () => {
  it('makes the choice an action of its own, that carries what was refused and what was seen', async () => {
    const old = await refusedLend()
    const settled = await settle(old, 'CLOSE_AND_LEND')
    expect(settled.body).toEqual({
      choice: 'CLOSE_AND_LEND',
      resolves: old.id,
      action: { endpoint: 'loanings.lend', body: JSON.parse(old.frozen_body) as unknown },
      reason: 'ALREADY_LENT',
      seen_loaning: 7,
    })
    expect(JSON.parse(settled.frozen_body)).toEqual({
      ...settled.body,
      occurred_at: '2026-03-10T09:00:00.000Z',
      device_id: actor.device_id,
    })
    expect(settled).toMatchObject({
      endpoint: 'conflicts.settle',
      params: {},
      resolves: old.id,
      place: old.seq,
      device_seq: old.device_seq,
      copy_id: 1,
      bar_code: '1001',
      beneficiary_id: 1,
      depends_on: null,
      label: { ...old.label, kind: 'lend', choice: 'CLOSE_AND_LEND' },
      user_id: biblio.user_id,
      username: 'biblio',
      adopted_by: null,
      occurred_at: '2026-03-10T09:00:00.000Z',
      clock_offset: null,
      state: 'queued',
      attempts: 0,
      problem: null,
    })
    expect(settled.seal).not.toBeNull()
    expect(await getEntry(settled.id)).toEqual(settled)
  })

  it('sets the refused action aside by the name of the choice, and tells both', async () => {
    const [old, other] = [await refusedLend(), await refuse(await record(lending(2)))]
    const heard = outboxNews()
    const settled = await settle(old, 'CLOSE_AND_LEND')
    expect(heard).toEqual([{ ids: [old.id, settled.id], to_send: true }])
    expect(await getEntry(old.id)).toMatchObject({
      state: 'set_aside',
      decision: { username: 'biblio', reason: 'Clore l’ancien prêt et prêter', at: at.toISOString() },
    })
    await settle(other, 'OVERRIDE', { motive: 'Elle est venue' })
    expect((await getEntry(other.id))?.decision?.reason).toBe('Prêter malgré le refus (Elle est venue)')
  })

  it.each<EntryState>(['queued', 'sending', 'done', 'waiting', 'quarantined', 'set_aside'])(
    'settles nothing that is %s',
    async (state) => {
      const entry = await change(await record(lending(1)), { state })
      const heard = outboxNews()
      expect(await settleEntry(entry.id, { choice: 'CLOSE_AND_LEND' }, actor)).toBeNull()
      expect(await getEntry(entry.id)).toEqual(entry)
      expect(heard).toEqual([])
    },
  )

  it('settles nothing that is not there', async () => {
    expect(await settleEntry('nulle part', { choice: 'IGNORE' }, actor)).toBeNull()
  })

  it('carries no reason where the refusal had none', async () => {
    const silent = await change(await record(lending(1)), { state: 'conflict' })
    expect((await settle(silent, 'NOT_HANDED_OVER')).body).toMatchObject({ reason: null, seen_loaning: null })
  })

  it('dates the choice by the server’s clock where that is known', async () => {
    const old = await refusedLend()
    await keepMeta('clock', { offset: 3_600_000, measured_at: '' })
    const settled = await settle(old, 'CLOSE_AND_LEND')
    expect(settled).toMatchObject({ occurred_at: '2026-03-10T09:00:00.000Z', clock_offset: 3_600_000 })
    expect(JSON.parse(settled.frozen_body)).toMatchObject({ occurred_at: '2026-03-10T08:00:00.000Z' })
  })

  it('is of the site where the action was, and of the copy that the person linked', async () => {
    const old = await change(await refusedLend(), { site: 4 })
    expect(await settle(old, 'LINK_LEND', { bar_code: '1009' })).toMatchObject({
      site: 4,
      bar_code: '1009',
      body: { bar_code: '1009' },
    })
  })

  it('names the root, the refusal and the choices before, when a choice was itself refused', async () => {
    const root = await refusedLend()
    const first = await refuse(await settle(root, 'CLOSE_AND_LEND'))
    const second = await settle(first, 'LEND_DESPITE_RESERVATION')
    expect(second.body).toMatchObject({
      resolves: root.id,
      refused: first.id,
      action: { endpoint: 'loanings.lend' },
      earlier: [{ choice: 'CLOSE_AND_LEND', seen_loaning: 7 }],
    })
    expect(second).toMatchObject({ resolves: first.id, place: root.seq })
  })

  it.each<[string, SettleChoice]>([
    ['the same choice again', 'CLOSE_AND_LEND'],
    ['a note, that carries nothing out', 'NOT_HANDED_OVER'],
  ])('has no choices before for %s', async (_, choice) => {
    const first = await refuse(await settle(await refusedLend(), 'CLOSE_AND_LEND'))
    expect((await settle(first, choice)).body).not.toHaveProperty('earlier')
  })

  it('is what the return waits for, where it makes the loan', async () => {
    const old = await refusedLend()
    const back = await change(await record(returning(1, old)), { state: 'waiting' })
    const settled = await settle(old, 'CLOSE_AND_LEND')
    expect(await getEntry(back.id)).toMatchObject({
      state: 'queued',
      depends_on: settled.id,
      body: { loan_key: settled.id },
    })
    expect((await listUnsettled()).map(({ id }) => id)).toEqual([settled.id, back.id])
  })

  it('is not what the return waits for, where it makes no loan', async () => {
    const old = await refusedLend()
    const back = await record(returning(1, old))
    await settle(old, 'NOT_HANDED_OVER')
    expect(await getEntry(back.id)).toMatchObject({ state: 'queued', depends_on: old.id })
  })

  it('waits itself behind another refusal of the copy', async () => {
    const before = await refusedLend()
    const old = await refuse(await record(returning(1)))
    expect((await settle(old, 'IGNORE')).state).toBe('waiting')
    expect((await settle(before, 'NOT_HANDED_OVER')).state).toBe('queued')
  })

  it('keeps both names where the chooser had taken the action over, and only the chooser’s elsewhere', async () => {
    const adopted_by = { user_id: biblio.user_id, username: 'biblio', at: at.toISOString() }
    const taken = await change(await refuse(await record(lending(1), benevole)), { adopted_by })
    expect(await settle(taken, 'CLOSE_AND_LEND')).toMatchObject({
      user_id: benevole.user_id,
      username: 'benevole',
      adopted_by,
    })
    const theirs = await refuse(await record(lending(2), benevole))
    expect(await settle(theirs, 'CLOSE_AND_LEND')).toMatchObject({
      user_id: biblio.user_id,
      username: 'biblio',
      adopted_by: null,
    })
    const others = await change(await refuse(await record(lending(3), benevole)), {
      adopted_by: { ...adopted_by, user_id: 9 },
    })
    expect(await settle(others, 'CLOSE_AND_LEND')).toMatchObject({ username: 'biblio', adopted_by: null })
  })
})
