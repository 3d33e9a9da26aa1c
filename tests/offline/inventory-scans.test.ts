import { openDB } from 'idb'
import { describe, expect, it, onTestFinished } from 'vitest'

import { type InventoryNews, watchInventory } from '../../src/offline/inventory-news.ts'
import { countName, type NewScan, removedStatus, type StoredScan } from '../../src/offline/inventory-rows.ts'
import {
  changeScan,
  recordScan,
  ScanWriteError,
  scansOf,
  sendRefusedAgain,
  unsentScans,
} from '../../src/offline/inventory-scans.ts'
import {
  changeCount,
  copiesOf,
  forgetCount,
  keepCopies,
  keepCount,
  loadedCounts,
  readCount,
} from '../../src/offline/inventory-store.ts'
import { newKey } from '../../src/offline/new-key.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { sendScans } from '../../src/offline/send-scans.ts'
import { forgetSession } from '../../src/offline/session-mirror.ts'
import {
  actorOf,
  benevole,
  biblio,
  freshDevice,
  json,
  keepMeta,
  lending,
  record,
  refusal,
  reloadPage,
  scriptedServer,
  type Sent,
  settingsOf,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()

const count = countName(1, 7)
const now = new Date('2026-03-10T09:00:00Z')

const scanned = (bar_code: string, more: Partial<NewScan> = {}): NewScan => ({
  key: newKey(),
  inventory: 7,
  site: 1,
  bar_code,
  copy: Number(bar_code) - 1000,
  location: null,
  way: 'camera',
  verdict: 'found',
  name: `Livre ${bar_code}`,
  ...more,
})
const keep = async (bar_code: string, more: Partial<NewScan> = {}, person = biblio) =>
  recordScan(scanned(bar_code, more), await actorOf(person), now)

type Wire = Pick<StoredScan, 'key' | 'bar_code' | 'copy' | 'note' | 'taken_back'>
const scansIn = ({ body }: Sent) => body['scans'] as Wire[]
/** A server that knows every copy. */
const takes = (sent: Sent, verdict = 'found'): Response =>
  json({
    scans: scansIn(sent).map((scan) => ({ ...scan, verdict, name: 'Selon le serveur', is_late: false })),
  })
const states = async () => (await scansOf(count)).map(({ state }) => state)

const loaded = {
  environment_id: 1,
  id: 7,
  name: 'Jeunesse',
  site: 1,
  site_name: 'Centre',
  status: 'open',
  locations: [],
  shelves: [],
  loaded_at: null,
  after: 0,
  copies: 0,
  total: 1,
  cursor: null,
  shelf: null,
}
const copy = {
  id: 1,
  bar_code: '1001',
  name: 'Livre',
  call_number: null,
  medium: 'Livre',
  site: 1,
  location: null,
  status: 'Disponible' as const,
  deleted: false,
  expected: true,
}

describe('the queue of scans', () => {
  it('keeps what a device of the former version holds', async () => {
    const database = await openDB('comptoir', 1, {
      upgrade(old) {
        const outbox = old.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
        outbox.createIndex('id', 'id', { unique: true })
        outbox.createIndex('state', 'state')
        outbox.createIndex('settled_at', 'settled_at')
        for (const name of ['meta', 'copies_a', 'copies_b']) old.createObjectStore(name)
      },
    })
    await database.add('outbox', { id: 'promis', state: 'queued' })
    database.close()
    expect(await listEntries()).toMatchObject([{ id: 'promis' }])
    await keep('1001')
    expect(await scansOf(count)).toHaveLength(1)
  })

  it('writes a scan so that it outlives the page, the session and its person', async () => {
    await signIn()
    const scan = await keep('1001', { location: 3 })
    await reloadPage()
    await forgetSession()
    expect(await scansOf(count)).toEqual([scan])
    expect(scan).toMatchObject({
      state: 'queued',
      scanned_at: now.toISOString(),
      location: 3,
      user_id: 2,
      note: '',
      taken_back: false,
    })
  })

  it('says that a scan is not written, and keeps nothing of it', async () => {
    const key = newKey()
    await keep('1001', { key })
    await expect(keep('1002', { key })).rejects.toThrow(ScanWriteError)
    expect(await scansOf(count)).toMatchObject([{ bar_code: '1001' }])
  })

  const inventoryNews = () => {
    const heard: InventoryNews[] = []
    onTestFinished(watchInventory((news) => heard.push(news)))
    return heard
  }

  it('dates a scan by the server’s clock where that was measured', async () => {
    await keepMeta('clock', { offset: 3_600_000, measured_at: '' })
    expect(await keep('1001')).toMatchObject({ scanned_at: '2026-03-10T08:00:00.000Z' })
  })

  it('tells of each scan, and of what is said of it later, that there is something to send', async () => {
    const heard = inventoryNews()
    const { key } = await keep('1001')
    await changeScan(key, { note: 'Abîmé' })
    expect(await changeScan('nulle part', { note: 'Abîmé' })).toBeNull()
    expect(heard).toEqual([
      { count, to_send: true },
      { count, to_send: true },
    ])
  })

  it('counts how often something was said of a scan, and keeps the rest of it', async () => {
    const scan = await keep('1001')
    expect(await changeScan(scan.key, { note: 'Abîmé' })).toEqual({ ...scan, note: 'Abîmé', revision: 1 })
    expect(await changeScan(scan.key, { taken_back: true })).toMatchObject({
      note: 'Abîmé',
      taken_back: true,
      revision: 2,
    })
  })

  it('lists what is not sent of all inventories and persons, what was refused last', async () => {
    await signIn()
    await keep('1001')
    await sendScans(settingsOf(scriptedServer(() => refusal(403)).fetch))
    await keep('1002', { inventory: 8 })
    await keep('1003', {}, benevole)
    expect((await unsentScans()).map(({ bar_code }) => bar_code)).toEqual(['1002', '1003', '1001'])
  })

  it('sends what was refused of one inventory once more', async () => {
    await signIn()
    await keep('1001')
    await keep('1002', { inventory: 8 })
    await sendScans(settingsOf(scriptedServer(() => refusal(403)).fetch))
    const heard = inventoryNews()
    await sendRefusedAgain(count)
    expect(await scansOf(count)).toMatchObject([{ state: 'queued', problem: null }])
    expect(await scansOf(countName(1, 8))).toMatchObject([{ state: 'refused', problem: { code: 403 } }])
    expect(heard).toEqual([{ count, to_send: true }])
  })

  it('sends at most 200 at a time, in order, and takes over what the server says', async () => {
    await signIn()
    for (let at = 0; at < 201; at += 1) await keep(String(2000 + at))
    const { fetch, sent } = scriptedServer((call) => takes(call, 'elsewhere'))
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 201, refused: 0, stopped: null })
    expect(sent.map((call) => scansIn(call).length)).toEqual([200, 1])
    expect(sent[0]?.path).toBe('/api/inventories/7/scans')
    expect(sent[0]?.headers.get('x-site')).toBe('1')
    expect(scansIn(sent[0] as Sent)[0]?.bar_code).toBe('2000')
    const [first] = await scansOf(count)
    expect(first).toMatchObject({ state: 'sent', verdict: 'elsewhere', name: 'Selon le serveur' })
    // Nothing is left to send.
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 0 })
    expect(sent).toHaveLength(2)
  })

  it('keeps the keys of scans whose answer was lost, and waits longer each time', async () => {
    await signIn()
    const { key } = await keep('1001')
    const clock = stillClock()
    const { fetch, sent } = scriptedServer((call, nth) => {
      if (nth === 1) throw new TypeError('Failed to fetch')
      return nth === 2 ? refusal(503) : takes(call)
    })
    expect(await sendScans(settingsOf(fetch, clock))).toMatchObject({
      stopped: 'network',
      next_try: clock.at + 2000,
    })
    expect(await sendScans(settingsOf(fetch, clock))).toMatchObject({ stopped: 'later' })
    expect(sent).toHaveLength(1)
    await keep('1002')
    clock.at += 2000
    expect(await sendScans(settingsOf(fetch, clock))).toMatchObject({ next_try: clock.at + 4000 })
    clock.at += 4000
    expect(await sendScans(settingsOf(fetch, clock))).toMatchObject({ done: 2 })
    expect(sent.map((call) => scansIn(call)[0]?.key)).toEqual([key, key, key])
    expect(await states()).toEqual(['sent', 'sent'])
  })

  it('waits for the sign-in after a 401, and sends one person’s scans as that person alone', async () => {
    await signIn()
    await keep('1001')
    const { fetch, sent } = scriptedServer((call, nth) => (nth === 1 ? refusal(401) : takes(call)))
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ stopped: 'signed-out' })
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ stopped: 'signed-out' })
    await signIn(benevole, 'autre')
    await keep('1002', {}, benevole)
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 1 })
    expect(sent[1]?.headers.get('authorization')).toBe('Bearer autre')
    expect(await states()).toEqual(['queued', 'sent'])
    await signIn(biblio, 'de nouveau')
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 1 })
    expect(await states()).toEqual(['sent', 'sent'])
  })

  it('keeps all that a 403 or a 404 refuses, with its reason', async () => {
    await signIn()
    await keep('1001')
    await keep('1002')
    const { fetch, sent } = scriptedServer(() => refusal(403))
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 0, refused: 2, stopped: null })
    expect(sent).toHaveLength(1)
    expect(await scansOf(count)).toMatchObject([
      { state: 'refused', problem: { message: 'Refus 403.' } },
      { state: 'refused' },
    ])
    expect(await forgetCount(count)).toBe(false)
  })

  it('keeps what a removed inventory refuses until a person gives it up, and then nothing of it', async () => {
    await signIn()
    await keepCount({ ...loaded, loaded_at: now.toISOString() })
    await keepCopies(count, { after: 0, copies: [copy], complete: true }, {})
    await keep('1001')
    await keep('1002', {}, benevole)
    const { fetch } = scriptedServer(() => refusal(404))
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ refused: 1 })
    expect(await readCount(count)).toMatchObject({ status: removedStatus })
    expect(await forgetCount(count)).toBe(false)
    // Another person's are sent, or refused, when that person signs in.
    expect(await forgetCount(count, 'given-up')).toBe(false)
    expect(await states()).toEqual(['refused', 'queued'])
    await signIn(benevole, 'autre')
    await sendScans(settingsOf(fetch))
    expect(await forgetCount(count)).toBe(false)
    expect(await states()).toEqual(['refused', 'refused'])
    expect(await forgetCount(count, 'given-up')).toBe(true)
    expect([await scansOf(count), await copiesOf(count), await readCount(count)]).toEqual([[], [], null])
  })

  it('lets a removed inventory of which all was sent leave the device', async () => {
    await signIn()
    await keepCount(loaded)
    await changeCount(count, { status: removedStatus })
    expect(await forgetCount(count)).toBe(true)
    expect(await loadedCounts(1)).toEqual([])
  })

  it('sets aside in one call what the server names, each with its own reason, and sends the rest', async () => {
    await signIn()
    for (let at = 0; at < 200; at += 1) await keep(String(2000 + at))
    const { fetch, sent } = scriptedServer((call) => {
      const wrong = scansIn(call).flatMap(({ bar_code }, at) =>
        bar_code === '2003' || bar_code === '2150'
          ? [{ propertyPath: `scans.${at}.copy`, message: `Pas de ${bar_code}.` }]
          : [],
      )
      return wrong.length === 0
        ? takes(call)
        : json(
            {
              '@type': 'ConstraintViolationList',
              'hydra:description': 'Deux fautes.',
              violations: [...wrong, { propertyPath: 'scans.999.copy', message: 'Personne.' }],
            },
            422,
          )
    })
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 198, refused: 2, stopped: null })
    expect(sent.map((call) => scansIn(call).length)).toEqual([200, 198])
    const refused = (await scansOf(count)).filter(({ state }) => state === 'refused')
    expect(refused.map(({ bar_code, problem }) => [bar_code, problem?.message])).toEqual([
      ['2003', 'Pas de 2003.'],
      ['2150', 'Pas de 2150.'],
    ])
  })

  it('lets one scan that the server cannot take hold back no other', async () => {
    await signIn()
    for (const code of ['1001', '1002', '1003', '1004', '1005']) await keep(code)
    const { fetch } = scriptedServer((call) =>
      scansIn(call).some(({ bar_code }) => bar_code === '1003') ? refusal(400) : takes(call),
    )
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ done: 4, refused: 1 })
    expect(await states()).toEqual(['sent', 'sent', 'refused', 'sent', 'sent'])
  })

  it('sends again what is said of a scan later, even while it is under way', async () => {
    await signIn()
    const { key } = await keep('zzz', { copy: null, verdict: 'unknown' })
    const { fetch, sent } = scriptedServer(async (call, nth) => {
      if (nth === 1) await changeScan(key, { note: 'Le Horla' })
      return takes(call, 'unknown')
    })
    await sendScans(settingsOf(fetch))
    expect(sent.map((call) => scansIn(call)[0]?.note)).toEqual(['', 'Le Horla'])
    await changeScan(key, { taken_back: true })
    expect(await states()).toEqual(['queued'])
    await sendScans(settingsOf(fetch))
    expect(scansIn(sent[2] as Sent)).toMatchObject([{ key, note: 'Le Horla', taken_back: true }])
    expect(await states()).toEqual(['sent'])
  })

  it('takes a captive portal for no network', async () => {
    await signIn()
    await keep('1001')
    const { fetch } = scriptedServer(
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    )
    expect(await sendScans(settingsOf(fetch))).toMatchObject({ stopped: 'network' })
    expect(await states()).toEqual(['queued'])
  })

  it('holds copies by inventory, and forgets only what is over and sent', async () => {
    await signIn()
    await keepCount(loaded)
    await keepCount({ ...loaded, id: 70 })
    await keepCopies(count, { after: 0, copies: [copy], complete: false }, { after: 1, copies: 1 })
    await keepCopies(
      countName(1, 70),
      { after: 0, copies: [copy, { ...copy, id: 2 }], complete: true },
      { after: 2 },
    )
    await changeCount(count, { shelf: 4 })
    expect(await readCount(count)).toMatchObject({ after: 1, shelf: 4 })
    // What is fetched again was asked for before the person went on to that shelf.
    await keepCount({ ...loaded, name: 'Jeunesse et BD' })
    expect(await readCount(count)).toMatchObject({ name: 'Jeunesse et BD', shelf: 4 })
    expect(await copiesOf(count)).toHaveLength(1)
    expect((await loadedCounts(1)).map(({ id }) => id)).toEqual([7, 70])
    expect(await loadedCounts(2)).toEqual([])
    expect(await forgetCount(count)).toBe(true)
    expect(await copiesOf(count)).toEqual([])
    expect(await copiesOf(countName(1, 70))).toHaveLength(2)
    // Fetched again: 1 and 3 have left the site meanwhile.
    const again = countName(1, 70)
    await keepCopies(again, { after: 2, copies: [{ ...copy, id: 3 }], complete: true }, {})
    await keepCopies(again, { after: 0, copies: [{ ...copy, id: 2 }], complete: false }, {})
    expect((await copiesOf(again)).map(({ id }) => id)).toEqual([2, 3])
    await keepCopies(again, { after: 2, copies: [], complete: true }, {})
    expect((await copiesOf(again)).map(({ id }) => id)).toEqual([2])
    // Loans that wait are of another store.
    await record(lending(1))
    expect(await listEntries()).toHaveLength(1)
  })
})
