import { beforeEach, describe, expect, it } from 'vitest'

import type { Entry, EntryState, Problem } from '../../src/offline/entry.ts'
import { getEntry, listUnsettled } from '../../src/offline/outbox.ts'
import { dropEntry, retryEntry, withdrawQueued } from '../../src/offline/outbox-decisions.ts'
import { biblio, change, freshDevice, lending, outboxNews, record, returning, signIn } from './device.ts'

freshDevice()

const at = new Date('2026-03-10T09:00:00Z')
const refused = (reason: Problem['reason']): Problem => ({ code: 409, reason, message: 'Non.', facts: null })
const inState = async (state: EntryState, attempts: number, problem: Problem | null = null) =>
  change(await record(lending(1)), { state, attempts, problem })

describe('dropEntry', () => {
  it.each<[EntryState, number, boolean]>([
    ['queued', 0, true],
    ['queued', 1, false],
    ['waiting', 0, true],
    ['waiting', 1, false],
    ['sending', 0, false],
    ['conflict', 1, true],
    ['quarantined', 5, true],
    ['done', 0, false],
    ['set_aside', 0, false],
  ])('drops what is %s after %i attempts: %s', async (state, attempts, drops) => {
    const entry = await inState(state, attempts)
    const heard = outboxNews()
    expect(await dropEntry(entry.id, 'biblio', 'Erreur', at)).toBe(drops)
    expect(heard).toEqual(drops ? [{ ids: [entry.id], to_send: true }] : [])
    if (!drops) return expect(await getEntry(entry.id)).toEqual(entry)
    return expect(await getEntry(entry.id)).toMatchObject({
      state: 'set_aside',
      settled_at: '2026-03-10T09:00:00.000Z',
      decision: { username: 'biblio', reason: 'Erreur', at: '2026-03-10T09:00:00.000Z' },
    })
  })

  it('knows nothing of an entry that is not there', async () => {
    expect(await dropEntry('nulle part', 'biblio', 'Erreur')).toBe(false)
  })
})

describe('withdrawQueued', () => {
  it.each<[EntryState, number, boolean]>([
    ['queued', 0, true],
    ['queued', 1, false],
    ['waiting', 0, true],
    ['waiting', 1, false],
    ['sending', 0, false],
    ['conflict', 0, false],
    ['quarantined', 0, false],
    ['done', 0, false],
    ['set_aside', 0, false],
  ])('takes back what is %s after %i attempts: %s', async (state, attempts, takes) => {
    const entry = await inState(state, attempts)
    const heard = outboxNews()
    expect(await withdrawQueued(entry.id, 'biblio', at)).toBe(takes)
    expect(heard).toEqual(takes ? [{ ids: [entry.id], to_send: true }] : [])
    expect(await getEntry(entry.id)).toMatchObject(
      takes ? { state: 'set_aside', decision: { username: 'biblio', at: at.toISOString() } } : { state },
    )
  })

  it('knows nothing of an entry that is not there', async () => {
    expect(await withdrawQueued('nulle part', 'biblio')).toBe(false)
  })

  it('takes back a loan whose return was itself taken back, and frees what was behind it', async () => {
    const lend = await record(lending(1))
    const back = await record(returning(1, lend))
    expect(await withdrawQueued(back.id, 'biblio')).toBe(true)
    const behind = await change(await record(lending(1, 2)), { state: 'waiting' })
    expect(await withdrawQueued(lend.id, 'biblio')).toBe(true)
    expect((await getEntry(behind.id))?.state).toBe('queued')
  })
})

describe('retryEntry', () => {
  beforeEach(() => signIn())

  it.each<[string, EntryState, Problem | null, 'new key' | 'same key' | null]>([
    ['a refusal', 'conflict', refused('ALREADY_LENT'), 'new key'],
    ['a refusal without a word', 'conflict', null, 'new key'],
    ['a key used for something else', 'quarantined', refused('KEY_REUSED'), 'new key'],
    ['what always fails', 'quarantined', refused('ALWAYS_FAILS'), 'same key'],
    ['what nobody says anything of', 'quarantined', null, 'same key'],
    ['what is to be sent', 'queued', null, 'same key'],
    ['what waits for its time', 'waiting', null, 'same key'],
    ['what is on its way', 'sending', null, null],
    ['what is done', 'done', null, null],
    ['what was dropped', 'set_aside', null, null],
  ])('tries %s (%s) again', async (_, state, problem, how) => {
    const entry = await change(await inState(state, 3, problem), { next_try: 9e15, faults: 4 })
    const heard = outboxNews()
    const again = await retryEntry(entry.id, biblio, at)
    expect(heard).toEqual(again ? [{ ids: [entry.id, again.id], to_send: true }] : [])
    if (how === null) {
      expect(again).toBeNull()
      expect(await getEntry(entry.id)).toEqual(entry)
    } else if (how === 'same key') {
      expect(again).toMatchObject({
        ...entry,
        state: 'queued',
        attempts: 3,
        next_try: 0,
        faults: 0,
        problem: null,
      })
      expect(await getEntry(entry.id)).toEqual(again)
    } else {
      expect(await getEntry(entry.id)).toMatchObject({
        state: 'set_aside',
        decision: { username: 'biblio', at: at.toISOString() },
      })
      expect(again).toMatchObject({
        state: 'queued',
        attempts: 0,
        faults: 0,
        next_try: 0,
        resolves: entry.id,
      })
      expect(again?.id).not.toBe(entry.id)
      expect(again?.seal?.mac).not.toBe(entry.seal?.mac)
      expect(await getEntry(again?.id ?? '')).toEqual(again)
    }
  })

  it('knows nothing of an entry that is not there', async () => {
    expect(await retryEntry('nulle part', biblio)).toBeNull()
  })

  it('leaves what is held back where it is', async () => {
    await inState('conflict', 1, refused('ALREADY_LENT'))
    const behind = await change(await record(returning(1)), { state: 'waiting', next_try: 9e15 })
    expect(await retryEntry(behind.id, biblio)).toMatchObject({ state: 'waiting', next_try: 0 })
    const own = await inState('quarantined', 5, refused('ALWAYS_FAILS'))
    expect(await retryEntry(own.id, biblio)).toMatchObject({ state: 'waiting', problem: null })
  })

  it('keeps the place of the first try through every other', async () => {
    const first = await inState('conflict', 1)
    const behind = await record(lending(1, 2))
    const second = (await retryEntry(first.id, biblio)) as Entry
    expect(second.place).toBe(first.seq)
    await change(second, { state: 'conflict', attempts: 1 })
    const third = (await retryEntry(second.id, biblio)) as Entry
    expect(third).toMatchObject({ place: first.seq, resolves: second.id })
    expect((await listUnsettled()).map(({ id }) => id)).toEqual([third.id, behind.id])
  })

  it('waits for the newest try of what it depends on', async () => {
    const lend = await inState('conflict', 1)
    const back = await change(await record(returning(1, lend)), { state: 'conflict', attempts: 1 })
    const second = (await retryEntry(lend.id, biblio)) as Entry
    await change(second, { state: 'conflict', attempts: 1 })
    const third = await retryEntry(second.id, biblio)
    expect(await retryEntry(back.id, biblio)).toMatchObject({
      depends_on: third?.id,
      body: { loan_key: third?.id },
    })
  })

  it('waits for the same entry where that was not tried again, and ends though entries replace each other', async () => {
    const lend = await record(lending(1))
    const other = await record(lending(2))
    const back = await change(await record(returning(1, lend)), { state: 'conflict', attempts: 1 })
    const again = (await retryEntry(back.id, biblio)) as Entry
    expect(again.depends_on).toBe(lend.id)
    await change(lend, { resolves: other.id })
    await change(other, { resolves: lend.id })
    await change(again, { state: 'conflict', attempts: 1 })
    expect(await retryEntry(again.id, biblio)).toMatchObject({ depends_on: lend.id })
  })
})
