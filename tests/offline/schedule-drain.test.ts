// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { DeviceLock } from '../../src/offline/device-lock.ts'
import type { DrainReport } from '../../src/offline/drain.ts'
import { tellOutbox } from '../../src/offline/outbox-news.ts'
import type { Schedule } from '../../src/offline/schedule.ts'
import { askForSync, drainTag, scheduleDrain } from '../../src/offline/schedule-drain.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { forgetSession } from '../../src/offline/session-mirror.ts'
import { change, freshDevice, lending, loaned, record, scriptedServer, signIn } from './device.ts'

freshDevice()

let schedule: Schedule | undefined
afterEach(() => {
  schedule?.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Starts the page's schedule; `next` is the next report after it is asked for. */
function start(fetch: DeviceFetch, now = Date.now, lock?: DeviceLock) {
  let tell: (report: DrainReport) => void = () => undefined
  const next = () =>
    new Promise<DrainReport>((resolve) => {
      tell = resolve
    })
  const first = next()
  schedule = scheduleDrain({
    fetch,
    now,
    random: () => 0,
    onReport: (report) => tell(report),
    ...(lock ? { lock } : {}),
  })
  return { first, next }
}
const cut = () => Promise.reject(new TypeError('Failed to fetch'))

describe('scheduleDrain', () => {
  it('drains at start, and after each record', async () => {
    await signIn()
    await record(lending(1))
    const { first, next } = start(scriptedServer((_, nth) => loaned(nth)).fetch)
    expect(await first).toMatchObject({ done: 1 })
    const after = next()
    await record(lending(2))
    expect(await after).toMatchObject({ done: 1 })
  })

  it.each([
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
    ['the page is seen again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('does not wait for its time when %s', async (_, happen) => {
    await signIn()
    await record(lending(1))
    const server = scriptedServer((_, nth) => (nth === 1 ? cut() : loaned()))
    // By this clock the entry is due in an hour: no timer can be what sends it.
    const { first, next } = start(server.fetch, () => Date.now() + 3600_000)
    expect(await first).toMatchObject({ stopped: 'network' })
    const after = next()
    happen()
    expect(await after).toMatchObject({ done: 1 })
  })

  it('comes again by itself when the entry is due', async () => {
    await signIn()
    await record(lending(1))
    const { first, next } = start(scriptedServer((_, nth) => (nth === 1 ? cut() : loaned())).fetch)
    await first
    expect(await next()).toMatchObject({ done: 1 })
  })

  it('drains after a sign-in', async () => {
    await signIn()
    await record(lending(1))
    await forgetSession()
    const { first, next } = start(scriptedServer(() => loaned()).fetch)
    expect(await first).toMatchObject({ stopped: 'signed-out' })
    const after = next()
    await signIn()
    expect(await after).toMatchObject({ done: 1 })
  })
})

/** A service worker that is ready, of which `register` hears every tag. */
const workerReady = (registration: object) =>
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve(registration) } })

describe('a sync of the service worker', () => {
  it.each<[string, () => Response | Promise<Response>, number]>([
    ['is asked for where there is no network', cut, 1],
    ['is not asked for where nothing is left', () => loaned(), 0],
  ])('%s', async (_, answer, times) => {
    const register = vi.fn(() => Promise.resolve())
    workerReady({ sync: { register } })
    await signIn()
    await record(lending(1))
    const { first } = start(scriptedServer(answer).fetch)
    await first
    await Promise.resolve()
    expect(register.mock.calls).toEqual(Array.from({ length: times }, () => [drainTag]))
  })

  it('is asked for where an action has to wait for its time', async () => {
    const register = vi.fn(() => Promise.resolve())
    workerReady({ sync: { register } })
    await signIn()
    await change(await record(lending(1)), { next_try: Date.now() + 60_000, last_status: 503 })
    const { first } = start(scriptedServer(() => loaned()).fetch)
    expect(await first).toMatchObject({ stopped: 'later' })
    await Promise.resolve()
    expect(register).toHaveBeenCalledOnce()
  })

  it('is done without where the browser has none, or refuses it', async () => {
    for (const navigator of [undefined, {}]) {
      vi.stubGlobal('navigator', navigator)
      askForSync()
    }
    workerReady({})
    askForSync()
    const register = vi.fn(() => Promise.reject(new Error('refused')))
    workerReady({ sync: { register } })
    askForSync()
    await expect.poll(() => register.mock.calls).toHaveLength(1)
  })
})

describe('scheduleDrain', () => {
  it('looks again in half a minute where another page drains', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const lock = vi.fn(() => Promise.resolve(null))
    start(scriptedServer(() => loaned()).fetch, Date.now, lock)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(lock).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(lock).toHaveBeenCalledTimes(2)
  })

  it('leaves alone news that tells of nothing to send', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const lock = vi.fn(() => Promise.resolve(null))
    start(scriptedServer(() => loaned()).fetch, Date.now, lock)
    await vi.advanceTimersByTimeAsync(0)
    tellOutbox({ ids: [], to_send: false })
    await vi.advanceTimersByTimeAsync(0)
    expect(lock).toHaveBeenCalledTimes(1)
    tellOutbox({ ids: [], to_send: true })
    await vi.advanceTimersByTimeAsync(0)
    expect(lock).toHaveBeenCalledTimes(2)
  })
})
