import { describe, expect, it } from 'vitest'

import { underLease } from '../../src/offline/device-lock.ts'
import { readMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { retryEntry, setAside } from '../../src/offline/outbox-decisions.ts'
import { currentSession, forgetSession } from '../../src/offline/session-mirror.ts'
import {
  benevole,
  biblio,
  freshDevice,
  lending,
  loaned,
  record,
  refusal,
  reloadPage,
  returning,
  scriptedServer,
  settingsOf,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()

const states = async () => (await listEntries()).map(({ state }) => state)

describe('a drain', () => {
  it('sends in order, each with its own key, the person’s token and the entry’s site', async () => {
    await signIn(biblio, 'jeton-de-biblio')
    const first = await record(lending(1))
    const second = await record({ ...lending(2) }, { ...biblio, site: 4 })
    const { fetch, sent } = scriptedServer((_, nth) => loaned(nth))
    expect(await drain(settingsOf(fetch))).toEqual({ done: 2, refused: 0, stopped: null, next_try: null })
    expect(sent.map(({ key }) => key)).toEqual([first.id, second.id])
    expect(sent.map(({ headers }) => headers.get('x-site'))).toEqual(['1', '4'])
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer jeton-de-biblio')
    expect(sent[0]?.path).toBe('/api/loanings')
    expect(sent[0]?.body).toEqual(JSON.parse(first.frozen_body))
    expect(await getEntry(first.id)).toMatchObject({
      state: 'done',
      attempts: 1,
      last_status: 201,
      receipt: { id: 1 },
      settled_at: '2026-03-10T09:00:00.000Z',
    })
  })

  it('writes a loan’s id into the address of its return', async () => {
    await signIn()
    await record({ ...returning(1), endpoint: 'loanings.return', params: { id: '12' }, body: {} })
    const { fetch, sent } = scriptedServer(() => loaned())
    await drain(settingsOf(fetch))
    expect(sent[0]?.path).toBe('/api/loanings/12/return')
  })

  it('keeps everything and stops at the first when there is no network, then comes again later and later', async () => {
    await signIn()
    const entry = await record(lending(1))
    await record(lending(2))
    const clock = stillClock()
    const { fetch, sent } = scriptedServer(() => Promise.reject(new TypeError('Failed to fetch')))
    const waits: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const report = await drain(settingsOf(fetch, clock))
      expect(report.stopped).toBe('network')
      waits.push((report.next_try ?? 0) - clock.at)
      clock.at = report.next_try ?? 0
    }
    expect(waits).toEqual([2000, 4000, 8000, 16_000])
    expect(new Set(sent.map(({ key }) => key))).toEqual(new Set([entry.id]))
    expect(await states()).toEqual(['queued', 'queued'])
  })

  it('gives up waiting for an answer after its time, and keeps the action', async () => {
    await signIn()
    const entry = await record(lending(1))
    const { signals, fetch } = blackhole()
    expect(await drain({ ...settingsOf(fetch), timeout_ms: 20 })).toMatchObject({ stopped: 'network' })
    expect(signals[0]?.aborted).toBe(true)
    expect(await getEntry(entry.id)).toMatchObject({ state: 'queued', attempts: 1, last_status: null })
  })

  it('puts a refusal before a person and goes on with other copies', async () => {
    await signIn()
    const refusedLend = await record(lending(1))
    const behind = await record(returning(1, refusedLend))
    await record(lending(2))
    const server = scriptedServer(({ body }) =>
      body['copy'] === 1 ? refusal(409, 'ALREADY_LENT') : loaned(),
    )
    expect(await drain(settingsOf(server.fetch))).toEqual({
      done: 1,
      refused: 1,
      stopped: null,
      next_try: null,
    })
    expect(await states()).toEqual(['conflict', 'waiting', 'done'])
    expect(await getEntry(refusedLend.id)).toMatchObject({
      problem: { code: 409, reason: 'ALREADY_LENT', message: 'Refus 409.' },
      frozen_body: refusedLend.frozen_body,
    })
    await setAside(refusedLend.id, 'biblio', 'Le livre est resté')
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1 })
    expect((await getEntry(behind.id))?.state).toBe('done')
  })

  it('sends a new try before what depends on it', async () => {
    await signIn()
    const lend = await record(lending(1))
    await record(returning(1, lend))
    const server = scriptedServer((_, nth) => (nth === 1 ? refusal(409, 'ALREADY_LENT') : loaned()))
    await drain(settingsOf(server.fetch))
    const again = await retryEntry(lend.id, { username: 'biblio' })
    await drain(settingsOf(server.fetch))
    expect(server.sent.map(({ path }) => path)).toEqual([
      '/api/loanings',
      '/api/loanings',
      '/api/loanings/return',
    ])
    expect(server.sent[1]?.key).toBe(again?.id)
    expect(server.sent[2]?.body['loan_key']).toBe(again?.id)
    expect(await states()).toEqual(['set_aside', 'done', 'done'])
  })

  it('quarantines the one action on which a well server fails five times, and goes on', async () => {
    await signIn()
    const clock = stillClock()
    const bad = await record(lending(1))
    await record(lending(2))
    const server = scriptedServer(({ body }) => (body['copy'] === 1 ? refusal(500) : loaned()))
    for (let pass = 1; pass < 5; pass += 1) {
      const report = await drain(settingsOf(server.fetch, clock))
      expect(report).toMatchObject({ stopped: 'network', done: 0 })
      clock.at = report.next_try ?? 0
    }
    expect(await drain(settingsOf(server.fetch, clock))).toMatchObject({ stopped: null, done: 1, refused: 1 })
    expect(await getEntry(bad.id)).toMatchObject({
      state: 'quarantined',
      faults: 5,
      problem: { code: 500, reason: 'ALWAYS_FAILS' },
    })
  })

  it('keeps everything while the server says that it is well and fails on every action', async () => {
    await signIn()
    const clock = stillClock()
    for (const copy of [1, 2, 3]) await record(lending(copy))
    const server = scriptedServer(() => refusal(503))
    for (let pass = 0; pass < 30; pass += 1)
      clock.at = (await drain(settingsOf(server.fetch, clock))).next_try ?? clock.at
    expect(await states()).toEqual(['queued', 'queued', 'queued'])
    const { fetch } = scriptedServer(({ body }) => loaned(Number(body['copy'])))
    clock.at += 3600_000
    expect(await drain(settingsOf(fetch, clock))).toMatchObject({ done: 3, refused: 0 })
  })

  it('sends nothing of a copy past an action of it on which the server fails', async () => {
    await signIn()
    const clock = stillClock()
    const lend = await record(lending(1))
    await record(returning(1, lend))
    await record(lending(2))
    const server = scriptedServer(({ body }) => (body['copy'] === 1 ? refusal(500) : loaned()))
    for (let pass = 0; pass < 6; pass += 1)
      clock.at = (await drain(settingsOf(server.fetch, clock))).next_try ?? clock.at
    expect(await states()).toEqual(['quarantined', 'waiting', 'done'])
    expect(server.sent.some(({ path }) => path === '/api/loanings/return')).toBe(false)
  })

  it('never quarantines while the whole server is ill', async () => {
    await signIn()
    const clock = stillClock()
    const entry = await record(lending(1))
    const { fetch } = scriptedServer(() => refusal(500), 503)
    for (let pass = 0; pass < 12; pass += 1) clock.at = (await drain(settingsOf(fetch, clock))).next_try ?? 0
    expect(await getEntry(entry.id)).toMatchObject({ state: 'queued', attempts: 12, faults: 0 })
  })

  it('pauses on 401 and goes on after the same person signs in again', async () => {
    await signIn(biblio, 'vieux')
    await record(lending(1))
    await record(lending(2))
    const server = scriptedServer(({ headers }) =>
      headers.get('authorization') === 'Bearer vieux' ? refusal(401) : loaned(),
    )
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ stopped: 'signed-out', done: 0 })
    expect(await currentSession()).toBeNull()
    await drain(settingsOf(server.fetch))
    expect(server.sent).toHaveLength(1)
    await signIn(biblio, 'neuf')
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 2 })
    expect(server.sent[1]?.key).toBe(server.sent[0]?.key)
  })

  it('leaves a sign-in made meanwhile alone when the old token is refused', async () => {
    await signIn(biblio, 'vieux')
    await record(lending(1))
    const { fetch } = scriptedServer(async () => {
      await signIn(biblio, 'neuf')
      return refusal(401)
    })
    await drain(settingsOf(fetch))
    expect(await currentSession()).toMatchObject({ token: 'neuf' })
  })

  it('never sends one person’s actions with another’s token, and holds the copy for them', async () => {
    await signIn(biblio)
    const theirs = await record(lending(1), biblio)
    await forgetSession()
    await signIn(benevole, 'jeton-de-benevole')
    await record(returning(1), benevole)
    await record(lending(2), benevole)
    const server = scriptedServer(() => loaned())
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1 })
    expect(server.sent.map(({ body }) => body['copy'])).toEqual([2])
    expect(await states()).toEqual(['queued', 'waiting', 'done'])
    expect((await getEntry(theirs.id))?.attempts).toBe(0)
    await signIn(biblio)
    await drain(settingsOf(server.fetch))
    expect(await states()).toEqual(['done', 'queued', 'done'])
    await signIn(benevole)
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1 })
    expect(await states()).toEqual(['done', 'done', 'done'])
  })

  it('stops sending at sign-out, in the middle', async () => {
    await signIn()
    await record(lending(1))
    await record(lending(2))
    const server = scriptedServer(async () => {
      await forgetSession()
      return loaned()
    })
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1, stopped: 'signed-out' })
    expect(await states()).toEqual(['done', 'queued'])
  })

  it('takes up with the same key what a dead page was sending', async () => {
    await signIn()
    const entry = await record(lending(1))
    await transact(['outbox'], 'readwrite', async (tx) => {
      await tx.store.put({ ...entry, state: 'sending', attempts: 1 })
    })
    await reloadPage()
    const server = scriptedServer(() => loaned())
    await drain(settingsOf(server.fetch))
    expect(server.sent.map(({ key }) => key)).toEqual([entry.id])
    expect(await getEntry(entry.id)).toMatchObject({ state: 'done', attempts: 2 })
  })

  it('does not let a late failure undo a receipt, when the lock was bypassed', async () => {
    await signIn()
    const entry = await record(lending(1))
    const inner = scriptedServer(() => loaned())
    const outer = scriptedServer(async () => {
      await drain({ ...settingsOf(inner.fetch), lock: (_, work) => work(() => Promise.resolve()) })
      return refusal(500)
    })
    await drain({ ...settingsOf(outer.fetch), lock: (_, work) => work(() => Promise.resolve()) })
    expect(inner.sent[0]?.key).toBe(entry.id)
    expect(await getEntry(entry.id)).toMatchObject({ state: 'done', receipt: { id: 1 } })
  })

  it('quarantines an action that this version does not know', async () => {
    await signIn()
    const entry = await record(lending(1))
    const old = { ...entry, endpoint: 'loanings.of_old' } as unknown as Entry
    await transact(['outbox'], 'readwrite', async (tx) => {
      await tx.store.put(old)
    })
    await drain(settingsOf(scriptedServer(() => loaned()).fetch))
    expect(await getEntry(entry.id)).toMatchObject({
      state: 'quarantined',
      problem: { reason: 'ENDPOINT_UNKNOWN' },
    })
  })

  it('measures how far the device’s clock is off', async () => {
    await signIn()
    await record(lending(1))
    const { fetch } = scriptedServer(() => {
      const response = loaned()
      response.headers.set('Date', 'Tue, 10 Mar 2026 06:00:00 GMT')
      return response
    })
    await drain(settingsOf(fetch))
    const clock = await transact(['meta'], 'readonly', (tx) => readMeta(tx.store, 'clock'))
    expect(clock?.offset).toBe(3 * 3600_000 - 500)
    const next = await record(lending(2), biblio, new Date('2026-03-10T09:10:00.000Z'))
    expect(JSON.parse(next.frozen_body)).toMatchObject({ occurred_at: '2026-03-10T06:10:00.500Z' })
  })
})

describe('one drain at a time', () => {
  it('gives way under a lease, and follows a holder that died', async () => {
    const inside = await underLease('x', () => underLease('x', () => Promise.resolve('both')))
    expect(inside).toBeNull()
    expect(await underLease('x', () => Promise.resolve('after'))).toBe('after')
    await transact(['meta'], 'readwrite', async (tx) => {
      await tx.store.put({ holder: 'dead', until: Date.now() - 1 }, 'lease_x')
    })
    expect(await underLease('x', () => Promise.resolve('taken over'))).toBe('taken over')
  })
})

/** A server that never answers; the caller's patience is all that ends it. */
function blackhole() {
  const signals: AbortSignal[] = []
  const fetch = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      if (!signal) return
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  return { signals, fetch }
}
