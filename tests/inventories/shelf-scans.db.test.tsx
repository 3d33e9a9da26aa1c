import '../support/page-globals.ts'

import { screen, waitFor } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { openCount } from '../../src/client/inventories/count.ts'
import type { SeenCode } from '../../src/client/shelf/shelf-walk.ts'
import { countName } from '../../src/offline/inventory-rows.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { openInventory, read, seedShelves } from './counting.ts'

afterEach(closeApp)

const codes = (...texts: string[]): SeenCode[] => texts.map((text) => ({ text, symbology: 'data_matrix' }))

/** An inventory that this device has, as what counts it holds it. */
async function countHere(server: TestServer) {
  const admin = await server.as('admin')
  const { id } = await openInventory(admin)
  await openApp(server, `/inventories/count/${id}`)
  await screen.findByText(/Utilisable hors ligne/)
  const count = await openCount(countName(1, id))
  if (count === null) throw new Error('the inventory is not on this device')
  return { admin, id, count }
}

describeServer('the codes of a shelf picture', (server) => {
  beforeEach(async () => {
    await seedShelves(server)
  })

  it('are counted once each, with what single scans say of them, and sent as they are', async () => {
    await sql`update copies set status = 'En Location' where id = 3`.execute(server.db)
    const { admin, id, count } = await countHere(server)
    await count.scan('1001', 'scanner')
    await count.scanShelf(codes('1001', '1002', '1003', '1005', 'RIEN'))
    await count.scanShelf(codes('1002', '1004'))
    expect(count.view().scans.map(({ bar_code, verdict, way }) => [bar_code, verdict, way])).toEqual([
      ['1004', 'found', 'camera'],
      ['1005', 'found', 'camera'],
      ['1003', 'lent', 'camera'],
      ['1002', 'found', 'camera'],
      ['1001', 'found', 'scanner'],
    ])
    await waitFor(async () => expect(await read(admin, id)).toMatchObject({ scans: 5 }))
    count.close()
  })

  it('say one thing, the one that wants a hand', async () => {
    await sql`update copies set deleted_at = now() where id = 4`.execute(server.db)
    const { count } = await countHere(server)
    await count.scanShelf(codes('1001', '1004', '1002'))
    expect(count.view().last).toMatchObject({
      kind: 'scan',
      scan: { bar_code: '1004', verdict: 'withdrawn' },
    })
    count.close()
  })

  it('stand on the shelf whose own label is among them', async () => {
    const { count } = await countHere(server)
    await count.scanShelf(codes('1001', '1005', 'RAYON-A'))
    expect(count.view().shelf?.label).toBe('Rayon A')
    expect(
      count.view().scans.map(({ bar_code, verdict, location }) => [bar_code, verdict, location]),
    ).toEqual([
      ['1005', 'elsewhere', 1],
      ['1001', 'found', 1],
    ])
    // Its label comes into sight once more, after another's.
    const [a, b] = [codes('RAYON-A'), codes('RAYON-B')] as const
    await count.scanShelf(b)
    expect(count.view().shelf?.label).toBe('Rayon B')
    await count.scanShelf(a, [])
    expect(count.view().shelf?.label).toBe('Rayon A')
    count.close()
  })

  it('stand on none of two shelves whose labels are among them, which is said', async () => {
    const { count } = await countHere(server)
    await count.scanShelf(codes('RAYON-A'))
    await count.scanShelf(codes('1001', 'RAYON-A', 'RAYON-B'))
    const { shelf, scans, last } = count.view()
    expect([shelf, scans.map(({ bar_code, location }) => [bar_code, location])]).toEqual([
      null,
      [['1001', null]],
    ])
    expect(last).toMatchObject({ kind: 'shelves' })
    count.close()
  })
})
