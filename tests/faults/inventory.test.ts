import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Inventory } from '../../src/contract/inventories.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import type { KillAt } from './fail-point-server.ts'
import { countFaults, type KeptScan, openPhone, openReader, type Phone, signInAt } from './inventory-phone.ts'
import { randomOf } from './random.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** FAULT_SEED runs one again; `npm run faults` has a thousand scans a phone. */
const seed = Number(process.env['FAULT_SEED'] ?? 1)
const scansAPhone = Number(process.env['FAULT_SCANS'] ?? 100)
const phones = 5
const kills = scansAPhone >= 1000 ? 6 : 2

describe('an inventory from five phones', () => {
  let server: RunningServer
  const proxies: TcpProxy[] = []
  beforeAll(async () => {
    server = await openRunningServer({
      entry: 'dist/faults/fail-point-server.js',
      prepare: (db) =>
        sql`insert into copies (reference, bar_code, site)
          select 1, 'INV' || n, 1 from generate_series(1, ${scansAPhone * 2}) n`.execute(db),
    })
  })
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close()
    await server?.drop()
  })

  it('loses no scan and counts none twice, whatever the network and the server do', async () => {
    const random = randomOf(seed)
    const token = await signInAt(server.address)
    const ask = async <T>(path: string, body?: object): Promise<T> => {
      const response = await fetch(server.address + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect(response.ok).toBe(true)
      return (await response.json()) as T
    }
    const { id } = await ask<Inventory>('/api/inventories', { name: 'Récolement', site: 1 })
    const through = async () => {
      const proxy = await openTcpProxy(server.port)
      proxies.push(proxy)
      return proxy
    }
    const counting: Phone[] = []
    for (let at = 0; at < phones; at += 1) {
      const way = { proxy: await through(), token, inventory: id }
      counting.push(openPhone(way, { name: `T${at}`, random: randomOf(seed * 100 + at) }))
    }
    const reader = openReader({ proxy: await through(), token, inventory: id }, randomOf(seed * 100 + 99))

    const work = Promise.all(counting.map((phone) => phone.count(scansAPhone, scansAPhone * 2)))
    const dying = async () => {
      for (let n = 0; n < kills; n += 1) {
        const phase = random.oneOf(['before-commit', 'after-commit'] as const) ?? 'after-commit'
        await server.tell({ phase, endpoint: 'inventories.scan', victim: 'server' } satisfies KillAt)
        await Promise.race([server.ended(), work])
        // The phones were faster than death.
        if (server.isRunning()) return
        await server.start()
      }
    }
    const reading = reader.follow(work)
    await Promise.all([work, dying(), reading])
    const kept = counting.flatMap((phone) => phone.kept)
    expect(kept).toHaveLength(phones * scansAPhone)

    const told = await ask<Inventory>(`/api/inventories/${id}`)
    await server.stop()
    const environment = await openEnvironment(server, 1)
    try {
      const { rows } = await sql<KeptScan>`
        select key, bar_code, copy, verdict, note, taken_back from inventory_scans where inventory = ${id}`.execute(
        environment.db,
      )
      expect(countFaults(rows, kept)).toEqual([])
      expect(reader.missing(rows)).toEqual([])
      const copies = new Set(
        rows.flatMap(({ copy, taken_back }) => (copy !== null && !taken_back ? [copy] : [])),
      )
      expect([told.seen, told.scans]).toEqual([copies.size, rows.filter((row) => !row.taken_back).length])
    } finally {
      await environment.close()
    }
  })
})
