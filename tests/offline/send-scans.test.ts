import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import type { DeviceLock } from '../../src/offline/device-lock.ts'
import { transact } from '../../src/offline/device-store.ts'
import { type InventoryNews, watchInventory } from '../../src/offline/inventory-news.ts'
import { countName, type NewScan } from '../../src/offline/inventory-rows.ts'
import { changeScan, recordScan, scansOf } from '../../src/offline/inventory-scans.ts'
import { keepCount, readCount } from '../../src/offline/inventory-store.ts'
import { sendScans } from '../../src/offline/send-scans.ts'
import { currentSession } from '../../src/offline/session-mirror.ts'
import {
  actorOf,
  benevole,
  biblio,
  copyRow,
  freshDevice,
  json,
  loadSnapshot,
  metaOf,
  refusal,
  scriptedServer,
  type Sent,
  settingsOf,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()
beforeEach(() => signIn())

const count = countName(1, 7)
const scanOf = (key: string, more: Partial<NewScan> = {}): NewScan => ({
  key,
  inventory: 7,
  site: 1,
  bar_code: key,
  copy: 1,
  location: null,
  way: 'camera',
  verdict: 'found',
  name: null,
  ...more,
})
const keep = async (key: string, more: Partial<NewScan> = {}, person = biblio) =>
  recordScan(scanOf(key, more), await actorOf(person), new Date('2026-03-10T09:00:00Z'))

type Wire = { key: string }
const keysIn = ({ body }: Sent) => (body['scans'] as Wire[]).map(({ key }) => key)
const judged = (key: string) => ({ key, verdict: 'found', name: null, copy: 1, is_late: false })
const takes = (sent: Sent): Response => json({ scans: keysIn(sent).map(judged) })
const violation = (propertyPath: string, message = 'Non.') => ({ propertyPath, message })
const violations = (...of: ReturnType<typeof violation>[]) =>
  json({ '@type': 'ConstraintViolationList', 'hydra:description': 'Des fautes.', violations: of }, 422)
const send = (answer: Parameters<typeof scriptedServer>[0], clock = stillClock()) => {
  const server = scriptedServer(answer)
  return { ...server, report: sendScans(settingsOf(server.fetch, clock)) }
}
const states = async (of = count) => (await scansOf(of)).map(({ key, state }) => `${key} ${state}`)
const inventoryNews = () => {
  const heard: InventoryNews[] = []
  onTestFinished(watchInventory((news) => heard.push(news)))
  return heard
}

describe('sendScans', () => {
  it('gives way to another page or worker', async () => {
    await keep('a')
    const { fetch, sent } = scriptedServer(takes)
    const lock = () => Promise.resolve(null)
    expect(await sendScans({ ...settingsOf(fetch), lock })).toEqual({
      done: 0,
      refused: 0,
      stopped: 'elsewhere',
      next_try: null,
    })
    expect(sent).toEqual([])
  })

  it('renews its lease before each call', async () => {
    await keep('a')
    await keep('b', { inventory: 8 })
    const steps: string[] = []
    const lock: DeviceLock = (_, work) => work(async () => void steps.push('renews'))
    const { fetch } = scriptedServer((sent) => {
      steps.push(`sends ${keysIn(sent).join()}`)
      return takes(sent)
    })
    await sendScans({ ...settingsOf(fetch), lock })
    expect(steps).toEqual(['renews', 'sends a', 'renews', 'sends b', 'renews'])
  })

  it('sends one inventory after the other, each call under a key and a site of its own', async () => {
    await keep('a')
    await keep('b', { inventory: 8, site: 4 })
    await keep('c')
    const { report, sent } = send(takes)
    expect(await report).toEqual({ done: 3, refused: 0, stopped: null, next_try: null })
    expect(sent.map((call) => [call.path, call.headers.get('x-site'), keysIn(call)])).toEqual([
      ['/api/inventories/7/scans', '1', ['a', 'c']],
      ['/api/inventories/8/scans', '4', ['b']],
    ])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  })

  it('sends what the server needs of a scan, and nothing else', async () => {
    await keep('a')
    await changeScan('a', { note: 'Abîmé' })
    const { report, sent } = send(takes)
    await report
    expect(sent[0]?.body).toEqual({
      scans: [
        {
          key: 'a',
          bar_code: 'a',
          copy: 1,
          location: null,
          scanned_at: '2026-03-10T09:00:00.000Z',
          way: 'camera',
          note: 'Abîmé',
          taken_back: false,
          revision: 1,
        },
      ],
    })
  })

  it('has nothing to send without scans, and nobody to send as without a session', async () => {
    await transact(['meta'], 'readwrite', (tx) => tx.store.delete('session'))
    expect(await send(takes).report).toMatchObject({ stopped: null })
    await keep('a')
    expect(await send(takes).report).toMatchObject({ done: 0, stopped: 'signed-out' })
    await signIn(benevole, 'autre')
    expect(await send(takes).report).toMatchObject({ done: 0, stopped: null })
    expect(await states()).toEqual(['a queued'])
  })

  it('empties the device of a session that the server refuses', async () => {
    await loadSnapshot({ copies: [copyRow(1)] })
    await keep('a')
    expect(await send(() => refusal(401)).report).toEqual({
      done: 0,
      refused: 0,
      stopped: 'signed-out',
      next_try: null,
    })
    expect([await currentSession(), await metaOf('snapshot')]).toEqual([null, null])
    expect(await states()).toEqual(['a queued'])
  })

  it('measures the device’s clock', async () => {
    await keep('a')
    await send((sent) => {
      const answer = takes(sent)
      answer.headers.set('Date', 'Tue, 10 Mar 2026 08:00:00 GMT')
      return answer
    }).report
    expect(await metaOf('clock')).toMatchObject({ offset: 3_599_500 })
  })

  it('waits as long as the server asks, even in a hurry, and no longer after an answer', async () => {
    await keep('a')
    const clock = stillClock()
    await send(() => refusal(429, undefined, { 'Retry-After': '90' }), clock).report
    expect(await metaOf('scan_wait')).toEqual({
      attempts: 1,
      next_try: clock.at + 90_000,
      last_status: 429,
      is_told_to_wait: true,
    })
    const { fetch, sent } = scriptedServer(takes)
    expect(await sendScans({ ...settingsOf(fetch, clock), hurry: 'all' })).toEqual({
      done: 0,
      refused: 0,
      stopped: 'later',
      next_try: clock.at + 90_000,
    })
    expect(sent).toEqual([])
    clock.at += 90_000
    expect(await sendScans(settingsOf(fetch, clock))).toMatchObject({ done: 1 })
    expect(await metaOf('scan_wait')).toBeNull()
  })

  it('sends before its time in a hurry what got no answer', async () => {
    await keep('a')
    const clock = stillClock()
    await send(() => Promise.reject(new TypeError('cut')), clock).report
    const { fetch } = scriptedServer(takes)
    expect(await sendScans({ ...settingsOf(fetch, clock), hurry: true })).toMatchObject({ done: 1 })
  })
})

describe('what the server says of a scan', () => {
  it('is taken over, and told where it differs from what the device had said', async () => {
    await keep('a')
    await keep('b')
    const heard = inventoryNews()
    await send((sent) =>
      json({
        scans: keysIn(sent).map((key) =>
          key === 'a'
            ? judged(key)
            : { ...judged(key), verdict: 'elsewhere', name: 'Livre', copy: 9, is_late: true },
        ),
      }),
    ).report
    expect(await scansOf(count)).toMatchObject([
      { state: 'sent', verdict: 'found', problem: null, is_late: false },
      { state: 'sent', verdict: 'elsewhere', name: 'Livre', copy: 9, is_late: true },
    ])
    expect(heard).toEqual([
      { count, to_send: false, judged: [{ key: 'b', before: 'found', verdict: 'elsewhere' }] },
    ])
  })

  it('is missing: the scan is kept as refused, and the others are sent', async () => {
    await keep('a')
    await keep('b')
    const { report } = send(() => json({ scans: [judged('b')] }))
    expect(await report).toMatchObject({ done: 1, refused: 1 })
    expect(await states()).toEqual(['a refused', 'b sent'])
    expect((await scansOf(count))[0]?.problem).toMatchObject({ code: 0, reason: 'ALWAYS_FAILS' })
  })

  it.each<[string, object]>([
    ['a verdict of another version', { verdict: 'autre' }],
    ['no name', { name: undefined }],
    ['a copy of another form', { copy: '1' }],
  ])('is no answer of ours with %s', async (_, change) => {
    await keep('a')
    const { report } = send(() => json({ scans: [{ ...judged('a'), ...change }] }))
    expect(await report).toMatchObject({ stopped: 'network' })
  })

  it('does not bring back what was forgotten meanwhile', async () => {
    await keep('a')
    await send(async (sent) => {
      await transact(['inventory_scans'], 'readwrite', (tx) => tx.store.clear())
      return takes(sent)
    }).report
    expect(await scansOf(count)).toEqual([])
  })

  it('leaves to be sent what was said of a scan while it was refused', async () => {
    await keep('a')
    let sent = 0
    await send(async (call) => {
      sent += 1
      if (sent > 1) return takes(call)
      await changeScan('a', { note: 'Abîmé' })
      return refusal(403)
    }).report
    expect(await scansOf(count)).toMatchObject([{ state: 'sent', note: 'Abîmé' }])
  })
})

describe('a refusal', () => {
  const five = async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) await keep(key)
  }
  const refusesC = (status: number) => (sent: Sent) =>
    keysIn(sent).includes('c') ? refusal(status) : takes(sent)

  it('that names no scan is narrowed down to one by halves', async () => {
    await five()
    const { report, sent } = send(refusesC(400))
    expect(await report).toEqual({ done: 4, refused: 1, stopped: null, next_try: null })
    expect(sent.map((call) => keysIn(call).join(''))).toEqual(['abcde', 'abc', 'ab', 'cde', 'cd', 'c', 'de'])
  })

  it.each([403, 404])('of %i is of all of them at once', async (status) => {
    await five()
    const { report, sent } = send(() => refusal(status))
    expect(await report).toMatchObject({ refused: 5 })
    expect(sent).toHaveLength(1)
  })

  it.each([
    [404, 'removed'],
    [403, 'open'],
  ])('of %i leaves the inventory %s', async (status, then) => {
    const loaded = { environment_id: 1, id: 7, name: '', site: 1, site_name: '', status: 'open' }
    const rest = { locations: [], shelves: [], loaded_at: null, after: 0, copies: 0, total: 0 }
    await keepCount({ ...loaded, ...rest, cursor: null, shelf: null })
    await keep('a')
    await send(() => refusal(status)).report
    expect((await readCount(count))?.status).toBe(then)
  })

  it('that names scans sets those aside, each by the first word of it', async () => {
    await five()
    const wrong = [
      violation('scans.1.copy', 'Pas de b.'),
      violation('scans.1.note', 'Trop long.'),
      violation('scans.3', 'Pas de d.'),
      violation('scans.9.copy', 'Personne.'),
      violation('scans.12a', 'Personne.'),
      violation('other.scans.0', 'Personne.'),
    ]
    const { report, sent } = send((call, nth) => (nth === 1 ? violations(...wrong) : takes(call)))
    expect(await report).toMatchObject({ done: 3, refused: 2 })
    expect(sent.map((call) => keysIn(call).join(''))).toEqual(['abcde', 'ace'])
    const refused = (await scansOf(count)).filter(({ state }) => state === 'refused')
    expect(refused.map(({ key, problem }) => [key, problem])).toEqual([
      ['b', { code: 422, reason: null, message: 'Pas de b.', facts: { violations: [wrong[0]] } }],
      ['d', { code: 422, reason: null, message: 'Pas de d.', facts: { violations: [wrong[2]] } }],
    ])
  })

  it('goes back to sending all at once, after it was narrowed down', async () => {
    await five()
    await keep('f')
    const { report, sent } = send((call) =>
      keysIn(call)[0] === 'a' && keysIn(call).length > 1 ? refusal(400) : takes(call),
    )
    expect(await report).toMatchObject({ done: 6 })
    expect(sent.map((call) => keysIn(call).join(''))).toEqual(['abcdef', 'abc', 'ab', 'a', 'bcdef'])
  })
})
