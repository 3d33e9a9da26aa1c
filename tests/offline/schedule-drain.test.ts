// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'

import type { DrainReport } from '../../src/offline/drain.ts'
import type { Schedule } from '../../src/offline/schedule.ts'
import { scheduleDrain } from '../../src/offline/schedule-drain.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { forgetSession } from '../../src/offline/session-mirror.ts'
import { freshDevice, lending, loaned, record, scriptedServer, signIn } from './device.ts'

freshDevice()

let schedule: Schedule | undefined
afterEach(() => schedule?.stop())

/** Starts the page's schedule; `next` is the next report after it is asked for. */
function start(fetch: DeviceFetch, now = Date.now) {
  let tell: (report: DrainReport) => void = () => undefined
  const next = () =>
    new Promise<DrainReport>((resolve) => {
      tell = resolve
    })
  const first = next()
  schedule = scheduleDrain({ fetch, now, random: () => 0, onReport: (report) => tell(report) })
  return { first, next }
}
const cut = () => Promise.reject(new TypeError('Failed to fetch'))

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
