import { afterEach, describe, expect, it, vi } from 'vitest'

import type { DeviceSession } from '../../src/offline/device-meta.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { askHealth, type DeviceFetch, ownProblem, sendEntry } from '../../src/offline/send-entry.ts'
import { biblio, freshDevice, json, lending, loaned, record, refusal } from './device.ts'

freshDevice()
afterEach(() => vi.restoreAllMocks())

const session: DeviceSession = { ...biblio, token: 'jeton', ended: false }
const now = () => Date.parse('2026-03-10T09:00:00Z')
const date = 'Tue, 10 Mar 2026 09:00:00 GMT'

/** What one call sent, and what came of it. */
async function send(entry: Entry, answer: () => Response | Promise<Response> = () => loaned()) {
  const calls: [string, RequestInit][] = []
  const fetch: DeviceFetch = (path, init) => {
    calls.push([path, init])
    return answer()
  }
  const answered = await sendEntry(entry, session, { fetch, now })
  const [path, init] = calls[0] ?? []
  return { answered, path, init, calls }
}

const dated = (response: Response) => {
  response.headers.set('Date', date)
  return response
}

describe('sendEntry', () => {
  it('sends the frozen body under the entry’s key, for the session and site, past any cache and cookie', async () => {
    const entry = { ...(await record(lending(1))), site: 4 }
    const { path, init } = await send(entry)
    expect(path).toBe('/api/loanings')
    expect(init).toMatchObject({
      method: 'POST',
      body: entry.frozen_body,
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
    })
    expect(init?.headers).toEqual({
      'Content-Type': 'application/json',
      Accept: 'application/json',
      Authorization: 'Bearer jeton',
      'X-Site': '4',
      'Idempotency-Key': entry.id,
    })
  })

  it('carries the seal, and the name of whose action was taken over', async () => {
    const { init } = await send({
      ...(await record(lending(1))),
      seal: { id: 'sceau', mac: 'code' },
      adopted_by: { user_id: 3, username: 'benevole', at: '' },
    })
    expect(init?.headers).toMatchObject({ 'X-Seal': 'sceau.code', 'X-On-Behalf-Of': '2' })
  })

  it('waits 20 s for the answer, or as long as it is told', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const entry = await record(lending(1))
    const { init } = await send(entry)
    expect(init?.signal).toBe(timeout.mock.results[0]?.value)
    await sendEntry(entry, session, { fetch: () => loaned(), now, timeout_ms: 7 })
    expect(timeout.mock.calls).toEqual([[20_000], [7]])
  })

  it('tells what the answer means, and the server’s date', async () => {
    const entry = await record(lending(1))
    expect((await send(entry, () => dated(loaned(3)))).answered).toMatchObject({
      meaning: { kind: 'done', status: 201, receipt: { id: 3 } },
      date,
    })
    expect((await send(entry, () => dated(refusal(503)))).answered).toEqual({
      meaning: { kind: 'again', status: 503, retry_at: null },
      date,
    })
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['a portal’s page, whose date is not the server’s', () => dated(new Response('<html>'))],
    ['a network that is cut', () => Promise.reject(new TypeError('cut'))],
    [
      'a body that is cut',
      () => Object.assign(dated(loaned()), { text: () => Promise.reject(new TypeError('cut')) }),
    ],
  ])('takes for no answer %s', async (_, answer) => {
    expect((await send(await record(lending(1)), answer)).answered).toEqual({
      meaning: { kind: 'again', status: null, retry_at: null },
      date: null,
    })
  })

  it('sends nothing of an action that it does not know', async () => {
    const entry = { ...(await record(lending(1))), endpoint: 'loanings.of_old' } as unknown as Entry
    const { answered, calls } = await send(entry)
    expect(calls).toEqual([])
    expect(answered).toMatchObject({
      meaning: { kind: 'quarantine', problem: { code: 0, reason: 'ENDPOINT_UNKNOWN', facts: null } },
      date: null,
    })
  })
})

describe('askHealth', () => {
  it.each<[string, () => Response, { isWell: boolean; date: string | null }]>([
    ['well', () => dated(json({ status: 'ok' })), { isWell: true, date }],
    ['well, without a date', () => json({ status: 'ok' }), { isWell: true, date: null }],
    ['ill, by its words', () => json({ status: 'down' }), { isWell: false, date: null }],
    ['ill, by its status', () => dated(json({ status: 'ok' }, 503)), { isWell: false, date }],
  ])('says that a server is %s', async (_, answer, health) => {
    expect(await askHealth(answer)).toEqual(health)
  })

  it.each<[string, DeviceFetch]>([
    ['a page', () => new Response('<html>')],
    ['no network', () => Promise.reject(new TypeError('cut'))],
  ])('says nothing by %s', async (_, fetch) => {
    expect(await askHealth(fetch)).toBeNull()
  })

  it('asks the server itself, for 5 s at most', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const fetch = vi.fn<DeviceFetch>(() => json({ status: 'ok' }))
    await askHealth(fetch)
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/health', {
      cache: 'no-store',
      redirect: 'error',
      signal: timeout.mock.results[0]?.value,
    })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(5_000)
  })
})

it('ownProblem is one that the device itself raised', () => {
  expect(ownProblem('CLOCK_OFF', 'Dites quand.')).toEqual({
    code: 0,
    reason: 'CLOCK_OFF',
    message: 'Dites quand.',
    facts: null,
  })
})
