import { describe, expect, it } from 'vitest'

import { drain } from '../../src/offline/drain.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import {
  freshDevice,
  lending,
  loaned,
  record,
  refusal,
  scriptedServer,
  settingsOf,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()

describe('a drain', () => {
  it('waits for its time, unless the network is thought to be back', async () => {
    await signIn()
    await record(lending(1))
    const server = scriptedServer((_, nth) => (nth === 1 ? Promise.reject(new TypeError('cut')) : loaned()))
    const settings = settingsOf(server.fetch)
    await drain(settings)
    expect(await drain(settings)).toMatchObject({ stopped: 'later', done: 0 })
    expect(server.sent).toHaveLength(1)
    expect(await drain({ ...settings, hurry: true })).toMatchObject({ stopped: null, done: 1 })
  })

  it('honours Retry-After even in a hurry', async () => {
    await signIn()
    await record(lending(1))
    const clock = stillClock()
    const server = scriptedServer((_, nth) =>
      nth === 1 ? refusal(429, undefined, { 'Retry-After': '90' }) : loaned(),
    )
    const report = await drain(settingsOf(server.fetch, clock))
    expect(report.next_try).toBe(clock.at + 90_000)
    expect(await drain({ ...settingsOf(server.fetch, clock), hurry: true })).toMatchObject({
      stopped: 'later',
    })
    clock.at += 90_000
    expect(await drain(settingsOf(server.fetch, clock))).toMatchObject({ done: 1 })
  })

  it('sends everything before its time when a person asks, but for what the server asked to wait for', async () => {
    await signIn()
    const entry = await record(lending(1))
    const clock = stillClock()
    const server = scriptedServer((_, nth) => {
      if (nth === 1) return refusal(500)
      return nth === 2 ? refusal(503, undefined, { 'Retry-After': '90' }) : loaned()
    })
    const settings = settingsOf(server.fetch, clock)
    await drain(settings)
    expect(await drain({ ...settings, hurry: true })).toMatchObject({ stopped: 'later' })
    expect(await drain({ ...settings, hurry: 'all' })).toMatchObject({ stopped: 'network' })
    expect(server.sent).toHaveLength(2)
    // Asked for by a person, the second failure says nothing against the action itself.
    expect(await getEntry(entry.id)).toMatchObject({ faults: 1 })
    expect(await drain({ ...settings, hurry: 'all' })).toMatchObject({ stopped: 'later' })
    clock.at += 90_000
    expect(await drain(settings)).toMatchObject({ done: 1 })
  })

  it.each([
    ['no answer', () => Promise.reject(new TypeError('cut')), 6 * 60_000],
    ['Retry-After', () => refusal(429, undefined, { 'Retry-After': '90' }), 61 * 60_000],
  ])('does not wait for months after %s when the clock was set back', async (_why, answer, back) => {
    await signIn()
    await record(lending(1))
    const clock = stillClock()
    const server = scriptedServer((_, nth) => (nth === 1 ? answer() : loaned()))
    await drain(settingsOf(server.fetch, clock))
    clock.at -= back
    expect(await drain(settingsOf(server.fetch, clock))).toMatchObject({ done: 1 })
  })
})
