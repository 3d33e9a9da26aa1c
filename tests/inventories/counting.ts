import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { expect } from 'vitest'

import type { Inventory, InventoryScan } from '../../src/contract/inventories.ts'
import type { Client, TestServer } from '../support/test-server.ts'

/** The books 1001 to 1010 of Centre stand by two on the shelves A (1) to D (4); 1009 and 1010 have no place. */
export async function seedShelves({ db }: TestServer): Promise<void> {
  const empty = () =>
    sql`truncate inventory_findings, inventory_scans, inventories, acts_kept, audit_journal, acts, jobs, loanings, reservations restart identity cascade`.execute(
      db,
    )
  // What a page that closes had still asked for may hold these tables the other way round.
  await empty().catch(empty)
  await sql`delete from copies where id > 15`.execute(db)
  await sql`update copies set location = null`.execute(db)
  await sql`delete from locations`.execute(db)
  await sql`insert into locations (id, label, bar_code) overriding system value
    values (1, 'Rayon A', 'RAYON-A'), (2, 'Rayon B', 'RAYON-B'), (3, 'Rayon C', null), (4, 'Rayon D', null)`.execute(
    db,
  )
  await sql`update copies set status = 'Disponible', deleted_at = null, withdrawn_on = null, withdrawal_reason = null,
    state = 'GOOD', location = case when id <= 8 then (id + 1) / 2 end`.execute(db)
}

export type Sent = {
  key: string
  bar_code: string | null
  copy: number | null
  location: number | null
  scanned_at: string
  way: 'scanner' | 'camera' | 'hand'
  note: string
  taken_back: boolean
  revision?: number
}

export const scanOf = (of: Partial<Sent>): Sent => ({
  key: randomUUID(),
  bar_code: null,
  copy: null,
  location: null,
  scanned_at: '2026-03-10T08:30:00.000Z',
  way: 'scanner',
  note: '',
  taken_back: false,
  ...of,
})

export async function openInventory(client: Client, of: object = {}): Promise<Inventory> {
  const { status, body } = await client.post('/api/inventories', { name: 'Récolement', site: 1, ...of })
  expect([status, body.message]).toEqual([201, undefined])
  return body
}

export async function send(client: Client, id: number, scans: Sent[]): Promise<InventoryScan[]> {
  const { status, body } = await client.post(`/api/inventories/${id}/scans`, { scans })
  expect([status, body.message]).toEqual([200, undefined])
  return body.scans
}

/** Each code on a shelf, one after the other. */
export const scan = (client: Client, id: number, codes: readonly string[], of: Partial<Sent> = {}) =>
  send(
    client,
    id,
    codes.map((bar_code) => scanOf({ bar_code, ...of })),
  )

export const read = async (client: Client, id: number): Promise<Inventory> =>
  (await client.get(`/api/inventories/${id}`)).body
