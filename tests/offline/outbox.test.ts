import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { readMeta, writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import type { Entry, EntryState, Problem } from '../../src/offline/entry.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import {
  forgetOldEntries,
  getEntry,
  listEntries,
  listUnsettled,
  OutboxWriteError,
  recordAction,
} from '../../src/offline/outbox.ts'
import { dropEntry, retryEntry, withdrawQueued } from '../../src/offline/outbox-decisions.ts'
import { watchOutbox } from '../../src/offline/outbox-news.ts'
import { actorOf, biblio, change, freshDevice, lending, record, reloadPage, returning } from './device.ts'

freshDevice()
afterEach(() => vi.restoreAllMocks())

const stateOf = async (entry: { id: string }): Promise<EntryState | undefined> =>
  (await getEntry(entry.id))?.state
const bodyOf = (entry: Entry | null) => JSON.parse(entry?.frozen_body ?? '{}') as Record<string, unknown>

describe('recording an action', () => {
  it('keeps what was done, numbered, dated and frozen, across a reload', async () => {
    const now = new Date('2026-03-10T09:00:00.000Z')
    const first = await record(lending(1), biblio, now)
    const second = await record(returning(1, first), biblio, now)
    await reloadPage()
    const entries = await listEntries()
    expect(entries.map(({ id }) => id)).toEqual([first.id, second.id])
    expect(entries).toMatchObject([
      { seq: 1, device_seq: 1, state: 'queued', attempts: 0, username: 'biblio', site: 1, v: 1 },
      { seq: 2, device_seq: 2, depends_on: first.id },
    ])
    expect(bodyOf(first)).toEqual({
      copy: 1,
      beneficiary: 1,
      occurred_at: '2026-03-10T09:00:00.000Z',
      device_id: first.device_id,
    })
    expect(new Set(entries.map(({ device_id }) => device_id)).size).toBe(1)
  })

  it('names the entry that it takes the place of, where there is one', async () => {
    expect((await record({ ...lending(1), resolves: 'avant' })).resolves).toBe('avant')
    expect((await record(lending(1))).resolves).toBeNull()
  })

  it('finds an entry by its key, and lists the unsettled in their order', async () => {
    const [one, other] = [await record(lending(1)), await record(lending(2))]
    const again = await change(await record(lending(3)), { place: one.seq, state: 'waiting' })
    await change(other, { state: 'done' })
    expect(await getEntry(one.id)).toEqual(one)
    expect(await getEntry('nulle part')).toBeNull()
    expect((await listUnsettled()).map(({ id }) => id)).toEqual([one.id, again.id])
    expect((await listEntries()).map(({ id }) => id)).toEqual([one.id, again.id, other.id])
  })

  it.each([
    ['a clock 90 s ahead as it is', 90_000, '2026-03-10T09:00:00.000Z'],
    ['a clock 3 hours ahead, corrected', 3 * 3600_000, '2026-03-10T06:00:00.000Z'],
    ['a clock 10 minutes behind, corrected', -600_000, '2026-03-10T09:10:00.000Z'],
  ])('sends the time of %s, and keeps the device’s own', async (_, offset, sent) => {
    await transact(['meta'], 'readwrite', (tx) => writeMeta(tx.store, 'clock', { offset, measured_at: '' }))
    const entry = await record(lending(1), biblio, new Date('2026-03-10T09:00:00.000Z'))
    expect(entry).toMatchObject({ occurred_at: '2026-03-10T09:00:00.000Z', clock_offset: offset })
    expect(bodyOf(entry)['occurred_at']).toBe(sent)
  })

  it('confirms nothing when the disk is full, though the put had succeeded', async () => {
    const add = IDBObjectStore.prototype.add
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
    ) {
      const request = add.call(this, value)
      request.addEventListener('success', () => {
        Object.defineProperty(this.transaction, 'error', {
          value: new DOMException('full', 'QuotaExceededError'),
        })
        this.transaction.abort()
      })
      return request
    })
    const failure = await record(lending(1)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OutboxWriteError)
    const { message, entry, failure: kind } = failure as OutboxWriteError
    expect(kind).toBe('quota')
    expect(message).toContain('la mémoire de cet appareil est pleine')
    vi.restoreAllMocks()
    expect(await listEntries()).toEqual([])
    expect((await record(lending(2))).device_seq).toBe(1)
    const { entries } = JSON.parse(await exportEntries([entry])) as { entries: Entry[] }
    expect(entries.map(({ copy_id }) => copy_id)).toEqual([2, 1])
  })

  it('takes the room that images had on a full device, and is then kept', async () => {
    const emptied: string[] = []
    vi.stubGlobal('caches', {
      delete: (name: string) => Promise.resolve(emptied.push(name) > 0),
    })
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const { id } = await record(lending(3))
    expect(emptied).toEqual(['comptoir-images'])
    expect((await listEntries()).map((entry) => entry.id)).toEqual([id])
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('says that the page is too old when a newer one has changed the store', async () => {
    const actor = await actorOf(biblio)
    const newer = indexedDB.open('comptoir', 99)
    await new Promise((resolve) => newer.addEventListener('success', resolve))
    const failure = await recordAction(lending(2), actor).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'OutboxWriteError', failure: 'outdated' })
    newer.result.close()
  })

  it('opens the store again after the browser closed it', async () => {
    await record(lending(1))
    const { _databases: databases } = indexedDB as unknown as {
      _databases: Map<string, { connections: { close(): void }[] }>
    }
    databases.get('comptoir')?.connections.forEach((connection) => connection.close())
    await record(lending(2))
    expect(await listEntries()).toHaveLength(2)
  })

  it('tells those who watch, and no longer those who stopped', async () => {
    const heard: unknown[] = []
    const stop = watchOutbox((news) => heard.push(news))
    const entry = await record(lending(1))
    stop()
    await record(lending(2))
    expect(heard).toEqual([{ ids: [entry.id], to_send: true }])
  })

  it('tells the other pages and the worker', async () => {
    const elsewhere = new BroadcastChannel('comptoir-outbox')
    const heard = new Promise((resolve) => elsewhere.addEventListener('message', ({ data }) => resolve(data)))
    const entry = await record(lending(1))
    expect(await heard).toEqual({ ids: [entry.id], to_send: true })
    elsewhere.close()
  })
})

describe('deciding', () => {
  const conflict: Problem = { code: 409, reason: 'ALREADY_LENT', message: 'déjà prêté', facts: null }

  it('tries a refused action again under a new key, in its place, with what depends on it', async () => {
    const lend = await record(lending(1))
    const back = await record(returning(1, lend))
    await change(lend, { state: 'conflict', attempts: 1, problem: conflict })
    const retried = await retryEntry(lend.id, { username: 'biblio' })
    expect(retried).toMatchObject({
      state: 'queued',
      resolves: lend.id,
      device_seq: lend.device_seq,
      occurred_at: lend.occurred_at,
      frozen_body: lend.frozen_body,
      problem: null,
      attempts: 0,
    })
    expect(retried?.id).not.toBe(lend.id)
    expect(await getEntry(lend.id)).toMatchObject({
      state: 'set_aside',
      problem: { code: conflict.code, reason: conflict.reason },
      decision: { username: 'biblio', reason: 'Réessayé' },
    })
    const follower = await getEntry(back.id)
    expect(follower).toMatchObject({ depends_on: retried?.id, state: 'queued' })
    expect(bodyOf(follower)['loan_key']).toBe(retried?.id)
    expect((await listUnsettled()).map(({ id }) => id)).toEqual([retried?.id, back.id])
  })

  it('names the loan’s newest key when a refused return is tried again', async () => {
    const lend = await record(lending(1))
    const back = await record(returning(1, lend))
    await change(lend, { state: 'conflict', attempts: 1, problem: conflict })
    await change(back, { state: 'conflict', attempts: 1, problem: { ...conflict, reason: 'LOAN_NOT_MADE' } })
    const lendAgain = await retryEntry(lend.id, { username: 'biblio' })
    const backAgain = await retryEntry(back.id, { username: 'biblio' })
    expect(backAgain?.depends_on).toBe(lendAgain?.id)
    expect(bodyOf(backAgain)['loan_key']).toBe(lendAgain?.id)
    expect(bodyOf(await getEntry(back.id))['loan_key']).toBe(lend.id)
  })

  it('keeps the key of what the server never refused for good', async () => {
    const lend = await record(lending(1))
    await change(lend, { state: 'quarantined', attempts: 5, faults: 5, next_try: 9e15 })
    const retried = await retryEntry(lend.id, { username: 'biblio' })
    expect(retried).toMatchObject({ id: lend.id, state: 'queued', next_try: 0, faults: 0, attempts: 5 })
  })

  it('takes back only what never left', async () => {
    const fresh = await record(lending(1))
    const sent = await record(lending(2))
    await change(sent, { attempts: 1 })
    expect(await withdrawQueued(fresh.id, 'biblio')).toBe(true)
    expect(await withdrawQueued(sent.id, 'biblio')).toBe(false)
    expect(await getEntry(fresh.id)).toMatchObject({ state: 'set_aside', decision: { username: 'biblio' } })
  })

  it('does not take back a loan that a return in the outbox names', async () => {
    const lend = await record(lending(1))
    await record(returning(1, lend))
    expect(await withdrawQueued(lend.id, 'biblio')).toBe(false)
  })

  it('drops nothing that may have reached the server', async () => {
    const entries = await Promise.all([1, 2, 3, 4].map((n) => record(lending(n))))
    const states: [EntryState, number][] = [
      ['sending', 1],
      ['queued', 1],
      ['done', 1],
      ['conflict', 1],
    ]
    for (const [at, entry] of entries.entries()) {
      const [state, attempts] = states[at] ?? ['queued', 0]
      await change(entry, { state, attempts })
    }
    const answers = []
    for (const { id } of entries) answers.push(await dropEntry(id, 'biblio', 'Erreur'))
    expect(answers).toEqual([false, false, false, true])
  })

  it('frees what waited for the entry that is set aside', async () => {
    const first = await record(lending(1))
    const second = await record(lending(1, 2))
    await change(first, { state: 'conflict', attempts: 1, problem: conflict })
    await change(second, { state: 'waiting' })
    await dropEntry(first.id, 'biblio', 'Livre resté au comptoir')
    expect(await stateOf(second)).toBe('queued')
  })
})

describe('keeping and letting go', () => {
  it('forgets what was done more than 7 days ago, and nothing else', async () => {
    const entries = await Promise.all([1, 2, 3, 4].map((n) => record(lending(n))))
    const [old, recent, aside, waiting] = entries as [Entry, Entry, Entry, Entry]
    await change(old, { state: 'done', settled_at: '2026-03-01T08:59:00.000Z' })
    await change(recent, { state: 'done', settled_at: '2026-03-05T09:00:00.000Z' })
    await change(aside, { state: 'set_aside', settled_at: '2020-01-01T00:00:00.000Z' })
    await change(waiting, { occurred_at: '2020-01-01T00:00:00.000Z' })
    await forgetOldEntries(new Date('2026-03-10T09:00:00.000Z'))
    expect((await listEntries()).map(({ id }) => id)).toEqual([recent.id, aside.id, waiting.id])
  })

  it('forgets at the end of the seventh day, not a moment before', async () => {
    const ends = [await record(lending(1)), await record(lending(2))] as [Entry, Entry]
    await change(ends[0], { state: 'done', settled_at: '2026-03-03T09:00:00.000Z' })
    await change(ends[1], { state: 'done', settled_at: '2026-03-03T09:00:00.001Z' })
    await forgetOldEntries(new Date('2026-03-10T09:00:00.000Z'))
    expect((await listEntries()).map(({ id }) => id)).toEqual([ends[1].id])
  })

  it('exports keys, decisions and problems, without any token and without what is done', async () => {
    const [lend, done] = [await record(lending(1)), await record(lending(2))]
    await change(done, { state: 'done', settled_at: new Date().toISOString() })
    await transact(['meta'], 'readwrite', (tx) =>
      writeMeta(tx.store, 'session', { ...biblio, token: 'secret-token', ended: false }),
    )
    const text = await exportEntries()
    expect(text).not.toContain('secret-token')
    expect(JSON.parse(text)).toMatchObject({
      format: 'comptoir-outbox',
      v: 1,
      entries: [{ id: lend.id, frozen_body: lend.frozen_body }],
    })
  })

  it('keeps the device’s number for ever', async () => {
    const { device_id } = await record(lending(1))
    await reloadPage()
    expect(await transact(['meta'], 'readonly', (tx) => readMeta(tx.store, 'device_id'))).toBe(device_id)
  })
})
