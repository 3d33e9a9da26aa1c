import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { DeviceSession } from '../../src/offline/device-meta.ts'
import { fetchPage, readOurs } from '../../src/offline/fetch-snapshot-page.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { currentSession } from '../../src/offline/session-mirror.ts'
import { copyRow, freshDevice, json, metaOf, pageOf, refusal, signIn } from './device.ts'

freshDevice()
let session: DeviceSession
beforeEach(async () => {
  await signIn()
  session = (await currentSession()) as DeviceSession
})
afterEach(() => vi.restoreAllMocks())

const at = Date.parse('2026-03-10T09:00:00Z')
const settings = (fetch: DeviceFetch) => ({ fetch, site: 4, session, now: () => at })
const fetchWith = (answer: () => Response | Promise<Response>, cursor: string | null = null) =>
  fetchPage(cursor, settings(answer))

describe('fetchPage', () => {
  it('asks for the site’s page, for the session and past any cache, cookie and redirect', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const fetch = vi.fn<DeviceFetch>(() => json(pageOf()))
    await fetchPage(null, settings(fetch))
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/snapshot?site=4', {
      headers: { Accept: 'application/json', Authorization: 'Bearer jeton', 'X-Site': '4' },
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: timeout.mock.results[0]?.value,
    })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(60_000)
    await fetchPage('a b', settings(fetch))
    expect(fetch.mock.calls[1]?.[0]).toBe('/api/snapshot?site=4&since=a+b')
  })

  it('answers the page as the server gave it, and more than it knows', async () => {
    const page = { ...pageOf({ copies: [copyRow(1)] }), of_a_later_version: true }
    expect(await fetchWith(() => json(page))).toEqual(page)
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['a network that is cut', () => Promise.reject(new TypeError('cut')), 'network'],
    ['a portal’s page', () => new Response('<html>'), 'network'],
    ['a failure', () => refusal(500), 'network'],
    ['another refusal', () => refusal(404), 'network'],
    ['a portal’s 401', () => json({ error: 'denied' }, 401), 'network'],
    ['a 401 that says 403', () => json({ code: 403, message: 'Non.' }, 401), 'network'],
    ['a page with the status of a failure', () => json(pageOf(), 502), 'network'],
    ['a page from elsewhere', () => redirected(json(pageOf())), 'network'],
    ['something else', () => json({ copies: [] }), 'network'],
    ['a missing right', () => refusal(403), 'refused'],
    ['a refused token', () => refusal(401), 'signed-out'],
  ])('stops at %s', async (_, answer, why) => {
    await expect(fetchWith(answer)).rejects.toMatchObject({ name: 'RefreshStopped', why })
    expect((await currentSession()) === null).toBe(why === 'signed-out')
  })

  it.each(['cursor', 'complete', 'reset', 'total', 'copies', 'beneficiaries', 'loanings', 'reservations'])(
    'takes no page without its %s',
    async (field) => {
      await expect(fetchWith(() => json({ ...pageOf(), [field]: null }))).rejects.toMatchObject({
        why: 'network',
      })
    },
  )

  it('leaves a sign-in made meanwhile alone', async () => {
    await signIn(undefined, 'neuf')
    await expect(fetchWith(() => refusal(401))).rejects.toMatchObject({ why: 'signed-out' })
    expect((await currentSession())?.token).toBe('neuf')
  })
})

it('readOurs measures the clock by an answer of ours alone', async () => {
  const date = { Date: 'Tue, 10 Mar 2026 08:00:00 GMT' }
  const schema = v.object({ ok: v.boolean() })
  await expect(
    readOurs(
      '/x',
      schema,
      settings(() => json({}, 200, date)),
    ),
  ).rejects.toThrow('network')
  expect(await metaOf('clock')).toBeNull()
  expect(
    await readOurs(
      '/x',
      schema,
      settings(() => json({ ok: true }, 200, date)),
    ),
  ).toEqual({ ok: true })
  expect(await metaOf('clock')).toEqual({ offset: 3_599_500, measured_at: '2026-03-10T09:00:00.000Z' })
})

const redirected = (response: Response): Response =>
  Object.defineProperty(response, 'redirected', { value: true })
