import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'

import { type DeviceLock, underLease } from '../../src/offline/device-lock.ts'
import { readMeta } from '../../src/offline/device-meta.ts'
import { closeStore, transact } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry, EntryState, NewAction } from '../../src/offline/entry.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { dropEntry, retryEntry, withdrawQueued } from '../../src/offline/outbox-decisions.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { currentSession, forgetSession } from '../../src/offline/session-mirror.ts'
import {
  benevole,
  biblio,
  change,
  copyRow,
  freshDevice,
  json,
  lending,
  loaned,
  loadSnapshot,
  metaOf,
  outboxNews,
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

/** As `settingsOf` dates it, so that the clock is not measured first. */
const recordNow = (action: NewAction) => record(action, biblio, new Date(stillClock().at))
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

  it('tries nothing for the first time off line, where it may be taken back, until the server is well', async () => {
    await signIn()
    const entry = await recordNow(lending(1))
    await recordNow(lending(2))
    const { fetch, sent } = scriptedServer((_, nth) => loaned(nth))
    let isCut = true
    const settings = {
      ...settingsOf((...call) => (isCut ? Promise.reject(new TypeError('cut')) : fetch(...call))),
      isOffline: () => true,
    }
    expect(await drain(settings)).toMatchObject({ stopped: 'network', next_try: stillClock().at + 30_000 })
    expect(await getEntry(entry.id)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await withdrawQueued(entry.id, 'biblio')).toBe(true)
    isCut = false
    expect(await drain(settings)).toMatchObject({ done: 1, stopped: null })
    expect(sent.map(({ body }) => body['copy'])).toEqual([2])
  })

  it('gives up waiting for an answer after its time, and keeps the action', async () => {
    await signIn()
    const entry = await recordNow(lending(1))
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
    await dropEntry(refusedLend.id, 'biblio', 'Le livre est resté')
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

describe('a drain, beside sending,', () => {
  it('gives way to another page or worker', async () => {
    await signIn()
    await record(lending(1))
    const { fetch, sent } = scriptedServer(() => loaned())
    const lock = () => Promise.resolve(null)
    expect(await drain({ ...settingsOf(fetch), lock })).toEqual({
      done: 0,
      refused: 0,
      stopped: 'elsewhere',
      next_try: null,
    })
    expect(sent).toEqual([])
  })

  it('renews its lease before each action', async () => {
    await signIn()
    for (const copy of [1, 2, 3]) await recordNow(lending(copy))
    const steps: string[] = []
    const { fetch } = scriptedServer(({ body }) => {
      steps.push(`sends ${String(body['copy'])}`)
      return loaned()
    })
    const keep = () => {
      steps.push('renews')
      return Promise.resolve()
    }
    await drain({ ...settingsOf(fetch), lock: (_, work) => work(keep) })
    expect(steps).toEqual(['renews', 'sends 1', 'renews', 'sends 2', 'renews', 'sends 3'])
  })

  it('forgets what was done more than a week ago', async () => {
    await signIn()
    await change(await record(lending(1)), { state: 'done', settled_at: '2026-03-03T08:59:59.000Z' })
    const kept = await change(await record(lending(2)), {
      state: 'done',
      settled_at: '2026-03-03T09:00:01.000Z',
    })
    await drain(settingsOf(scriptedServer(() => loaned()).fetch))
    expect((await listEntries()).map(({ id }) => id)).toEqual([kept.id])
  })

  it('tells of each action once it is settled, and that nothing more is to be sent', async () => {
    await signIn()
    const [first, second] = [await record(lending(1)), await record(lending(2))]
    const heard = outboxNews()
    const { fetch } = scriptedServer((_, nth) => (nth === 1 ? loaned() : refusal(409, 'ALREADY_LENT')))
    await drain(settingsOf(fetch))
    expect(heard).toEqual([first, second].map(({ id }) => ({ ids: [id], to_send: false })))
  })

  it('empties the snapshot of a session that the server refuses', async () => {
    await loadSnapshot({ copies: [copyRow(1)] })
    const { id } = await recordNow(lending(1))
    await drain(settingsOf(scriptedServer(() => refusal(401)).fetch))
    expect(await metaOf('snapshot')).toBeNull()
    expect(await getEntry(id)).toMatchObject({ state: 'queued', attempts: 1, last_status: 401, next_try: 0 })
  })

  it('leaves alone what a person took back while another action was on its way', async () => {
    await signIn()
    await record(lending(1))
    const second = await record(lending(2))
    await record(lending(3))
    const gone = await record(lending(4))
    const server = scriptedServer(async ({ body }) => {
      if (body['copy'] === 1) {
        await withdrawQueued(second.id, 'biblio')
        await transact(['outbox'], 'readwrite', (tx) => tx.store.delete(gone.seq))
      }
      return loaned()
    })
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 2, stopped: null })
    expect(server.sent.map(({ body }) => body['copy'])).toEqual([1, 3])
    expect((await getEntry(second.id))?.state).toBe('set_aside')
  })

  it('stops where the network is lost, after what went well', async () => {
    await signIn()
    await record(lending(1))
    await record(lending(2))
    const clock = stillClock()
    const { fetch, sent } = scriptedServer(({ body }) =>
      body['copy'] === 1 ? loaned() : Promise.reject(new TypeError('cut')),
    )
    expect(await drain(settingsOf(fetch, clock))).toEqual({
      done: 1,
      refused: 0,
      stopped: 'network',
      next_try: clock.at + 2000,
    })
    expect(sent).toHaveLength(2)
  })

  it('stops at an action whose time has not come, and says when it comes', async () => {
    await signIn()
    const clock = stillClock()
    await change(await record(lending(1)), { attempts: 1, next_try: clock.at + 1000 })
    await record(lending(2))
    const { fetch, sent } = scriptedServer(() => loaned())
    expect(await drain(settingsOf(fetch, clock))).toEqual({
      done: 0,
      refused: 0,
      stopped: 'later',
      next_try: clock.at + 1000,
    })
    expect(sent).toEqual([])
  })

  it('asks the person about an action that nothing proves theirs, and sends the others', async () => {
    await signIn()
    const unproven = await change(await record(lending(1)), { seal: null })
    await record(lending(2))
    const heard = outboxNews()
    const { fetch, sent } = scriptedServer(() => loaned())
    expect(await drain(settingsOf(fetch))).toEqual({ done: 1, refused: 1, stopped: null, next_try: null })
    expect(sent.map(({ body }) => body['copy'])).toEqual([2])
    expect(await getEntry(unproven.id)).toMatchObject({
      state: 'conflict',
      attempts: 0,
      last_status: 0,
      problem: { code: 0, reason: 'UNSEALED' },
    })
    expect(heard[0]).toEqual({ ids: [unproven.id], to_send: false })
  })
})

describe('the clock of an action to be sent', () => {
  const clock = stillClock()
  const past = (ms: number) => new Date(clock.at - ms)
  /** A server whose clock shows `date`; `asked` counts how often its health was asked for. */
  const dated = (date: string, answer: (nth: number) => Response = () => loaned()) => {
    const server = scriptedServer((_, nth) => answer(nth))
    const asked = { times: 0 }
    const fetch: DeviceFetch = (path, init) => {
      if (path !== '/health') return server.fetch(path, init)
      asked.times += 1
      return json({ status: 'ok' }, 200, { Date: date })
    }
    return { fetch, asked, sent: server.sent }
  }
  const right = 'Tue, 10 Mar 2026 09:00:00 GMT'

  it.each([
    [60_000, 0],
    [60_001, 1],
    [-60_000, 0],
    [-60_001, 1],
  ])('is measured first where it says %i ms ago: %i times', async (ms, times) => {
    await signIn()
    await record(lending(1), biblio, past(ms))
    const { fetch, asked } = dated(right)
    await drain(settingsOf(fetch, clock))
    expect(asked.times).toBe(times)
  })

  it.each<[string, Partial<Entry>]>([
    ['was sent before', { attempts: 1 }],
    ['waits for a person', { state: 'conflict' }],
  ])('is not measured for what %s', async (_, changes) => {
    await signIn()
    await change(await record(lending(1), biblio, past(120_000)), changes)
    const { fetch, asked } = dated(right)
    await drain(settingsOf(fetch, clock))
    expect(asked.times).toBe(0)
  })

  it('is measured once for a whole queue', async () => {
    await signIn()
    await record(lending(4), biblio, past(0))
    for (const copy of [1, 2, 3]) await record(lending(copy), biblio, past(120_000))
    const { fetch, asked } = dated(right, (nth) => (nth === 1 ? refusal(409, 'ALREADY_LENT') : loaned()))
    expect(await drain(settingsOf(fetch, clock))).toMatchObject({ done: 3, refused: 1 })
    expect(asked.times).toBe(1)
  })

  it('that was two days wrong has a person say when it was, before anything is sent', async () => {
    await signIn()
    const entry = await record(lending(1), biblio, past(120_000))
    const { fetch, sent } = dated('Sun, 08 Mar 2026 09:00:00 GMT')
    expect(await drain(settingsOf(fetch, clock))).toEqual({
      done: 0,
      refused: 1,
      stopped: null,
      next_try: null,
    })
    expect(sent).toEqual([])
    expect(await getEntry(entry.id)).toMatchObject({
      state: 'conflict',
      problem: { reason: 'CLOCK_OFF', facts: { corrected_at: '2026-03-08T08:58:00.500Z' } },
    })
    expect(await metaOf('clock')).toEqual({
      offset: 2 * 24 * 3600_000 - 500,
      measured_at: '2026-03-10T09:00:00.000Z',
    })
  })

  it('is taken as it is where the server’s health cannot be had', async () => {
    await signIn()
    await record(lending(1), biblio, past(120_000))
    const server = scriptedServer(() => loaned())
    const fetch: DeviceFetch = (path, init) =>
      path === '/health' ? Promise.reject(new TypeError('cut')) : server.fetch(path, init)
    expect(await drain(settingsOf(fetch, clock))).toMatchObject({ done: 1 })
    expect(await metaOf('clock')).toBeNull()
  })
})

describe('an action on which a well server fails', () => {
  beforeEach(() => signIn())
  const lend = (n: number) => recordNow(lending(n))
  /** Five passes, each when the one before says. */
  const fiveTimes = async (fetch: DeviceFetch) => {
    const clock = stillClock()
    let report = await drain(settingsOf(fetch, clock))
    for (let pass = 1; pass < 5; pass += 1) {
      clock.at = report.next_try ?? 0
      report = await drain(settingsOf(fetch, clock))
    }
    return { report, clock }
  }
  const failsOn = (...copies: number[]) =>
    scriptedServer(({ body }) => (copies.includes(Number(body['copy'])) ? refusal(500) : loaned()))

  it('is quarantined where it is alone, and told', async () => {
    const heard = outboxNews()
    const { id } = await lend(1)
    const { report } = await fiveTimes(failsOn(1).fetch)
    expect(report).toEqual({ done: 0, refused: 1, stopped: null, next_try: null })
    expect(await getEntry(id)).toMatchObject({
      state: 'quarantined',
      last_status: 500,
      problem: { code: 500, reason: 'ALWAYS_FAILS', facts: null },
    })
    // When it was recorded, at each of five answers, and for the quarantine.
    expect(heard.filter(({ ids }) => ids[0] === id)).toHaveLength(7)
    expect(heard.at(-1)).toEqual({ ids: [id], to_send: false })
  })

  it('stays queued beside another one that fails as well, until the first of them is due', async () => {
    const [one, other] = [await lend(1), await lend(2)]
    await change(one, { faults: 4 })
    await change(other, { faults: 4, attempts: 7 })
    const clock = stillClock()
    expect(await drain(settingsOf(failsOn(1, 2).fetch, clock))).toEqual({
      done: 0,
      refused: 0,
      stopped: 'network',
      next_try: clock.at + 2000,
    })
    expect(await states()).toEqual(['queued', 'queued'])
    expect(await getEntry(other.id)).toMatchObject({ faults: 5, next_try: clock.at + 256_000 })
  })

  it.each([
    ['takes', () => loaned(), 'done'],
    ['refuses', () => refusal(409, 'ALREADY_LENT'), 'conflict'],
    ['can never take', () => refusal(400), 'quarantined'],
  ])('is quarantined once the server %s another', async (_, answer, state) => {
    await change(await lend(1), { faults: 4 })
    await change(await lend(2), { faults: 4 })
    await lend(3)
    const server = scriptedServer(({ body }) => (body['copy'] === 3 ? answer() : refusal(500)))
    expect(await drain(settingsOf(server.fetch))).toMatchObject({
      done: state === 'done' ? 1 : 0,
      refused: state === 'done' ? 2 : 3,
      stopped: null,
    })
    expect(await states()).toEqual(['quarantined', 'quarantined', state])
  })

  it('is not held to have failed where another page settled it meanwhile', async () => {
    const bad = await change(await lend(1), { faults: 4 })
    await lend(2)
    const server = scriptedServer(async ({ body }) => {
      if (body['copy'] === 1) return refusal(500)
      await change(bad, { state: 'done', receipt: { '@type': 'Loaning', id: 9 } })
      return loaned()
    })
    await drain(settingsOf(server.fetch))
    expect(await states()).toEqual(['done', 'done'])
  })

  it('may be gone from the store by then', async () => {
    const bad = await change(await lend(1), { faults: 4 })
    await lend(2)
    const server = scriptedServer(async ({ body }) => {
      if (body['copy'] === 1) return refusal(500)
      await transact(['outbox'], 'readwrite', (tx) => tx.store.delete(bad.seq))
      return loaned()
    })
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1, stopped: null })
    expect(await states()).toEqual(['done'])
  })

  it('stays queued when at last there is no network at all', async () => {
    await change(await lend(1), { faults: 5 })
    const { fetch } = scriptedServer(() => Promise.reject(new TypeError('cut')))
    expect(await drain(settingsOf(fetch))).toMatchObject({ refused: 0, stopped: 'network' })
    expect(await states()).toEqual(['queued'])
  })

  it('holds back what is of the same copy, by one of its names alone', async () => {
    await change(await lend(1), { faults: 4 })
    await recordNow({ ...returning(1), copy_id: null })
    await lend(3)
    const { fetch, sent } = failsOn(1)
    await drain(settingsOf(fetch))
    expect(sent.map(({ path }) => path)).toEqual(['/api/loanings', '/api/loanings'])
    expect(await states()).toEqual(['quarantined', 'waiting', 'done'])
  })

  it('is none where the server’s health cannot be had', async () => {
    const { id } = await lend(1)
    const server = failsOn(1)
    const fetch: DeviceFetch = (path, init) =>
      path === '/health' ? Promise.reject(new TypeError('cut')) : server.fetch(path, init)
    expect(await drain(settingsOf(fetch))).toMatchObject({ stopped: 'network' })
    expect(await getEntry(id)).toMatchObject({ state: 'queued', faults: 0 })
  })

  it('holds back what depends on it, though of another copy', async () => {
    const bad = await change(await lend(1), { faults: 4 })
    await record(lending(2, 1, { depends_on: bad.id }))
    await lend(3)
    const { fetch, sent } = failsOn(1)
    await drain(settingsOf(fetch))
    expect(sent.map(({ body }) => body['copy'])).toEqual([1, 3])
    expect(await states()).toEqual(['quarantined', 'waiting', 'done'])
  })

  it.each([
    ['asks to come back later', () => refusal(429)],
    ['gives no answer', () => Promise.reject(new TypeError('cut'))],
  ])('is none where the server %s', async (_, answer) => {
    const { id } = await lend(1)
    await fiveTimes(scriptedServer(answer).fetch)
    expect(await getEntry(id)).toMatchObject({ state: 'queued', attempts: 5, faults: 0 })
  })
})

describe('an answer that comes late', () => {
  const unlocked: DeviceLock = (_, work) => work(() => Promise.resolve())

  it.each<[string, EntryState, () => Response, EntryState]>([
    ['a receipt', 'quarantined', () => loaned(7), 'done'],
    ['a refusal', 'quarantined', () => refusal(409, 'ALREADY_LENT'), 'quarantined'],
    ['a refusal', 'set_aside', () => refusal(409, 'ALREADY_LENT'), 'set_aside'],
    ['a failure', 'queued', () => refusal(500), 'queued'],
  ])('leaves an action, by %s to one that is %s meanwhile', async (_, meanwhile, answer, state) => {
    await signIn()
    const entry = await recordNow(lending(1))
    const { fetch } = scriptedServer(async () => {
      await change(entry, { state: meanwhile, attempts: 3, last_status: 200 })
      return answer()
    })
    await drain({ ...settingsOf(fetch), lock: unlocked })
    expect(await getEntry(entry.id)).toMatchObject({
      state,
      attempts: 3,
      faults: 0,
      last_status: state === 'done' ? 201 : 200,
    })
  })

  it('does not put another receipt in place of the first', async () => {
    await signIn()
    const entry = await recordNow(lending(1))
    const { fetch } = scriptedServer(async () => {
      await change(entry, { state: 'done', receipt: { '@type': 'Loaning', id: 1 }, settled_at: '2026-03-10' })
      return loaned(2)
    })
    await drain({ ...settingsOf(fetch), lock: unlocked })
    expect(await getEntry(entry.id)).toMatchObject({ receipt: { id: 1 }, settled_at: '2026-03-10' })
  })

  it('finds nothing to settle where the store was emptied', async () => {
    await signIn()
    await recordNow(lending(1))
    const { fetch } = scriptedServer(async () => {
      await transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
      return loaned()
    })
    expect(await drain(settingsOf(fetch))).toEqual({
      done: 0,
      refused: 0,
      stopped: 'network',
      next_try: null,
    })
    expect(await listEntries()).toEqual([])
  })
})

/** What the server may do with a call; `lost` and `cut` give no answer, before and after it took the action. */
const fates = ['takes', 'lost', 'cut', 'fails', 'refuses'] as const

it('a queue under a network that flaps is applied once, in the order of each copy, or left to a person', async () => {
  const gesture = fc.record({ copy: fc.integer({ min: 1, max: 3 }), isReturn: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(gesture, { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom(...fates), { maxLength: 12 }),
      async (gestures, script) => {
        await closeStore()
        globalThis.indexedDB = new IDBFactory()
        await signIn()
        const made: Entry[] = []
        for (const { copy, isReturn } of gestures)
          made.push(await recordNow(isReturn ? returning(copy) : lending(copy)))
        const applied: string[] = []
        const refused = new Set<string>()
        const { fetch } = scriptedServer(({ key }, nth) => {
          const fate = refused.has(key) ? 'refuses' : (script[nth - 1] ?? 'takes')
          if (fate === 'lost') throw new TypeError('cut')
          if (fate === 'fails') return refusal(500)
          if (fate === 'refuses' && !applied.includes(key)) {
            refused.add(key)
            return refusal(409, 'ALREADY_LENT')
          }
          if (!applied.includes(key)) applied.push(key)
          if (fate === 'cut') throw new TypeError('cut')
          return loaned()
          // A server that is ill, so that no failure is held against an action.
        }, 503)
        const clock = stillClock()
        for (let report = await drain(settingsOf(fetch, clock)); report.stopped !== null;) {
          clock.at = report.next_try ?? clock.at
          report = await drain(settingsOf(fetch, clock))
        }
        const entries = await listEntries()
        expect(entries.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
        for (const copy of [1, 2, 3]) {
          const own = entries.filter((entry) => entry.copy_id === copy)
          const done = own.filter(({ state }) => state === 'done').map(({ id }) => id)
          const ofCopy = own.map(({ id }) => id)
          expect(applied.filter((id) => ofCopy.includes(id))).toEqual(done)
          // One refused action, behind which the rest of its copy waits.
          const stopped = own.slice(done.length).map(({ state }) => state)
          expect(ofCopy.slice(0, done.length)).toEqual(done)
          expect(stopped).toEqual(stopped.map((_, at) => (at === 0 ? 'conflict' : 'waiting')))
        }
      },
    ),
    { numRuns: 40 },
  )
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
