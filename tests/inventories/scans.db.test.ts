import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { InventoryScan } from '../../src/contract/inventories.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { seedShelves, openInventory, read, scan, scanOf, send } from './counting.ts'

describeServer('the scans of an inventory', (server) => {
  let admin: Client
  let phone: Client
  beforeAll(async () => {
    admin = await server.as('admin', 'appareil-1')
    phone = await server.as('admin', 'appareil-2')
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await seedShelves(server)
  })
  const verdicts = (scans: InventoryScan[]) => scans.map(({ verdict }) => verdict)

  it('say each what was found', async () => {
    await sql`update copies set status = 'En Location' where id = 3`.execute(server.db)
    await sql`update copies set deleted_at = now() where id = 4`.execute(server.db)
    const { id } = await openInventory(admin)
    const told = await scan(
      admin,
      id,
      ['1001', '1002', '1005', '1009', '1003', '1004', '2001', 'RIEN', ' 1001 '],
      {
        location: 1,
      },
    )
    expect(verdicts(told)).toEqual([
      'found',
      'found',
      'elsewhere',
      'found',
      'lent',
      'withdrawn',
      'elsewhere',
      'unknown',
      'already',
    ])
    expect(told[0]).toMatchObject({
      copy: 1,
      name: 'Livre numéro 1',
      copy_barcode: '1001',
      device_id: 'appareil-1',
      is_late: false,
    })
    expect(told[7]).toMatchObject({ copy: null, bar_code: 'RIEN', name: null })
  })

  it('take a living copy before one that was withdrawn, and of these the last', async () => {
    await sql`update copies set deleted_at = '2026-01-01' where id = 5`.execute(server.db)
    const { rows } = await sql<{ id: number }>`
      insert into copies (reference, bar_code, site, deleted_at)
      values (1, '1005', 1, '2026-02-01'), (1, '1006X', 1, null) returning id`.execute(server.db)
    const { id } = await openInventory(admin)
    expect((await scan(admin, id, ['1005']))[0]).toMatchObject({ copy: rows[0]?.id, verdict: 'withdrawn' })
    await sql`update copies set bar_code = '1005' where bar_code = '1006X'`.execute(server.db)
    expect((await scan(admin, id, ['1005']))[0]).toMatchObject({ copy: rows[1]?.id, verdict: 'found' })
  })

  it('are one by their key, whose note and withdrawal follow it', async () => {
    const { id } = await openInventory(admin)
    const sent = scanOf({ bar_code: 'SANS', location: 1 })
    const [first] = await send(admin, id, [sent])
    const [again] = await send(phone, id, [sent])
    expect(again).toEqual(first)
    const [noted] = await send(admin, id, [{ ...sent, note: 'Dos déchiré', bar_code: 'AUTRE' }])
    expect(noted).toEqual({ ...first, note: 'Dos déchiré' })
    const found = scanOf({ bar_code: '1001' })
    await send(admin, id, [found])
    expect(await read(admin, id)).toMatchObject({ seen: 1, scans: 2 })
    await send(admin, id, [{ ...found, taken_back: true }])
    expect(await read(admin, id)).toMatchObject({ seen: 0, scans: 1 })
    await send(admin, id, [found])
    expect(await read(admin, id)).toMatchObject({ seen: 1, scans: 2 })
  })

  it('keep what was said last, whatever the network held back', async () => {
    const { id } = await openInventory(admin)
    const first = scanOf({ bar_code: 'SANS' })
    await send(admin, id, [first])
    const last = { ...first, note: 'Dos vert', revision: 2 }
    await send(admin, id, [last])
    const [told] = await send(admin, id, [{ ...first, note: 'Dos', revision: 1 }])
    expect(told?.note).toBe('Dos vert')
    const [both] = await send(admin, id, [
      { ...first, note: 'Dos bleu', revision: 4 },
      { ...first, revision: 3 },
    ])
    expect(both?.note).toBe('Dos bleu')
  })

  it('say « already » of all but one, in a batch and from phones at once', async () => {
    const { id } = await openInventory(admin)
    const key = randomUUID()
    const batch = await send(admin, id, [
      scanOf({ key, bar_code: '1001' }),
      scanOf({ bar_code: '1001' }),
      scanOf({ key: key.toUpperCase(), bar_code: '1001', note: 'deux fois' }),
    ])
    expect(batch.map(({ verdict, note }) => [verdict, note])).toEqual([
      ['found', 'deux fois'],
      ['already', ''],
    ])
    const codes = ['1002', '1003', '1004', '1005']
    const told = await Promise.all(
      [admin, phone, admin, phone].map((client, at) => scan(client, id, at % 2 ? codes : codes.toReversed())),
    )
    for (const code of codes) {
      const of = told.flat().filter(({ bar_code }) => bar_code === code)
      expect(verdicts(of).sort()).toEqual(['already', 'already', 'already', 'found'])
    }
    expect(await read(admin, id)).toMatchObject({ expected: 10, seen: 5, scans: 18 })
  })

  it('count again what was taken back', async () => {
    const { id } = await openInventory(admin)
    const first = scanOf({ bar_code: '1001' })
    await send(admin, id, [first])
    await send(admin, id, [{ ...first, taken_back: true }])
    expect(verdicts(await scan(admin, id, ['1001']))).toEqual(['found'])
  })

  it('are of now where a phone is ahead, and late once it is over', async () => {
    const { id } = await openInventory(admin)
    const told = await send(admin, id, [
      scanOf({ bar_code: '1001', scanned_at: '2026-03-10T09:04:00.000Z' }),
      scanOf({ bar_code: '1002', scanned_at: '2031-01-01T00:00:00.000Z' }),
    ])
    expect(told.map(({ scanned_at }) => scanned_at)).toEqual(['2026-03-10T09:04:00.000Z', testNow])
    await admin.put(`/api/inventories/${id}/status`, { status: 'paused' })
    expect((await scan(admin, id, ['1003']))[0]?.is_late).toBe(false)
    await admin.put(`/api/inventories/${id}/status`, { status: 'given_up' })
    expect((await scan(admin, id, ['1004']))[0]).toMatchObject({ is_late: true, verdict: 'found' })
    expect(await read(admin, id)).toMatchObject({ status: 'given_up', seen: 3, scans: 4 })
  })

  it('are of now where a phone is more than a day behind the inventory’s own beginning', async () => {
    const { id } = await openInventory(admin)
    const told = await send(admin, id, [
      scanOf({ bar_code: '1001', scanned_at: '2026-03-09T09:00:00.000Z' }),
      scanOf({ bar_code: '1002', scanned_at: '2026-03-09T08:59:59.000Z' }),
      scanOf({ bar_code: '1003', scanned_at: '1970-01-01T00:00:00.000Z' }),
    ])
    expect(told.map(({ scanned_at }) => scanned_at)).toEqual(['2026-03-09T09:00:00.000Z', testNow, testNow])
  })

  it('come two hundred at most in a call', async () => {
    const { id } = await openInventory(admin)
    const many = Array.from({ length: 201 }, (_, n) => scanOf({ bar_code: `INCONNU-${n}` }))
    const { status } = await admin.post(`/api/inventories/${id}/scans`, { scans: many })
    expect(status).toBe(422)
    expect(await read(admin, id)).toMatchObject({ scans: 0 })
    expect(await send(admin, id, many.slice(1))).toHaveLength(200)
  })

  it('name a copy that is there, and a shelf', async () => {
    const { id } = await openInventory(admin)
    const [ticked] = await send(admin, id, [scanOf({ copy: 2, way: 'hand' })])
    expect(ticked).toMatchObject({ verdict: 'found', copy_barcode: '1002', bar_code: null })
    const { status, body } = await admin.post(`/api/inventories/${id}/scans`, {
      scans: [
        scanOf({ bar_code: '1001' }),
        scanOf({ copy: 999 }),
        scanOf({ bar_code: 'X', location: 999 }),
        scanOf({}),
      ],
    })
    expect([
      status,
      body.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath),
    ]).toEqual([422, ['scans.1.copy', 'scans.2.location', 'scans.3.copy']])
    expect(await read(admin, id)).toMatchObject({ scans: 1 })
  })

  it('are not journalled one by one', async () => {
    const { id } = await openInventory(admin)
    await scan(admin, id, ['1001', '1002', '1003'])
    const { rows } = await sql`select from audit_journal where entity like 'inventor%'`.execute(server.db)
    expect(rows).toHaveLength(1)
  })

  describe('since a cursor', () => {
    const since = async (id: number, cursor?: string) => {
      const query = cursor === undefined ? '' : `?since=${encodeURIComponent(cursor)}`
      const { status, body } = await admin.get(`/api/inventories/${id}/scans${query}`)
      expect(status).toBe(200)
      return body as { scans: InventoryScan[]; cursor: string; complete: boolean }
    }

    /** What another database's transactions are still about comes twice: until they end, the horizon waits. */
    const nothingSince = async (id: number, cursor: string) => {
      let last = cursor
      // Another library's transaction on the same server holds back how far is known.
      const whenOthersEnd = { timeout: 20_000, interval: 20 }
      await vi.waitFor(async () => {
        const page = await since(id, last)
        last = page.cursor
        expect(page.scans).toEqual([])
      }, whenOthersEnd)
      return last
    }

    it('are those that came or changed since', async () => {
      const { id } = await openInventory(admin)
      const sent = scanOf({ bar_code: 'SANS' })
      await send(admin, id, [sent, scanOf({ bar_code: '1001' })])
      const whole = await since(id)
      expect(whole).toMatchObject({ complete: true })
      expect(whole.scans).toHaveLength(2)
      const settled = await nothingSince(id, whole.cursor)
      await send(admin, id, [{ ...sent, note: 'Couverture bleue' }])
      const [third] = await scan(phone, id, ['1002'])
      const more = await since(id, settled)
      expect(more.scans.map(({ key }) => key).sort()).toEqual([sent.key, third?.key].sort())
      await nothingSince(id, more.cursor)
      expect((await since(id, 'autre')).scans).toHaveLength(3)
      const other = await openInventory(admin)
      expect((await since(other.id, settled)).scans).toEqual([])
      expect((await since(id, (await since(other.id)).cursor)).scans).toHaveLength(3)
    })

    it('come a thousand at a time, with what came meanwhile', async () => {
      const { id } = await openInventory(admin)
      for (let at = 0; at < 6; at += 1) {
        const codes = Array.from({ length: 200 }, (_, n) => `INCONNU-${at}-${n}`)
        await scan(admin, id, codes)
      }
      const first = await since(id)
      expect([first.scans.length, first.complete]).toEqual([1000, false])
      const [late] = await scan(admin, id, ['1001'])
      const second = await since(id, first.cursor)
      expect(second.complete).toBe(true)
      const third = await since(id, second.cursor)
      const keys = [first, second, third].flatMap(({ scans }) => scans.map(({ key }) => key))
      expect(new Set(keys).size).toBe(1201)
      expect(keys).toContain(late?.key)
    })
  })
})
