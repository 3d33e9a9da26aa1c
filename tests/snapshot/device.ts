import { sql } from 'kysely'
import { expect } from 'vitest'

import type { SnapshotPage } from '../../src/contract/snapshot.ts'
import type { Client, TestServer } from '../support/test-server.ts'

/** A tablet's copy of the library, kept as the client keeps it: rows by id, gone when deleted or closed. */
export type Device = {
  cursor: string | null
  pages: SnapshotPage[]
  copies: Map<number, SnapshotPage['copies'][number]>
  beneficiaries: Map<number, SnapshotPage['beneficiaries'][number]>
  loanings: Map<number, SnapshotPage['loanings'][number]>
  reservations: Map<number, SnapshotPage['reservations'][number]>
  settings: SnapshotPage['settings']
}

export const newDevice = (): Device => ({
  cursor: null,
  pages: [],
  copies: new Map(),
  beneficiaries: new Map(),
  loanings: new Map(),
  reservations: new Map(),
  settings: undefined,
})

/** Fetches one page and applies it. */
export async function fetchPage(client: Client, device: Device, site = 0): Promise<SnapshotPage> {
  const since = device.cursor === null ? '' : `&since=${encodeURIComponent(device.cursor)}`
  const answer = await client.get(`/api/snapshot?site=${site}${since}`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  const page = answer.body as SnapshotPage
  if (page.reset)
    for (const kind of [device.copies, device.beneficiaries, device.loanings, device.reservations])
      kind.clear()
  keep(device.copies, page.copies, ({ deleted }) => deleted)
  keep(device.beneficiaries, page.beneficiaries, ({ deleted }) => deleted)
  keep(device.loanings, page.loanings, ({ closed }) => closed)
  keep(device.reservations, page.reservations, ({ closed }) => closed)
  device.cursor = page.cursor
  device.settings = page.settings ?? device.settings
  device.pages.push(page)
  return page
}

function keep<R extends { id: number }>(held: Map<number, R>, rows: R[], isGone: (row: R) => boolean): void {
  for (const row of rows) {
    if (isGone(row)) held.delete(row.id)
    else held.set(row.id, row)
  }
}

/** Fetches pages until the pass is complete; answers those pages. */
export async function refresh(client: Client, device: Device, site = 0): Promise<SnapshotPage[]> {
  const pages: SnapshotPage[] = []
  do pages.push(await fetchPage(client, device, site))
  while (pages.at(-1)?.complete === false)
  return pages
}

/** How many rows some pages held. */
export const rowsOf = (pages: SnapshotPage[]): number =>
  pages.reduce(
    (sum, page) =>
      sum + page.copies.length + page.beneficiaries.length + page.loanings.length + page.reservations.length,
    0,
  )

/** Waits for every transaction of the cluster, because a horizon waits for those of other databases too. */
export async function untilQuiet({ db }: TestServer): Promise<void> {
  const ask = async () => {
    const { rows } = await sql<{ oldest: number; next: number }>`
      select pg_snapshot_xmin(seen)::text::bigint as oldest, pg_snapshot_xmax(seen)::text::bigint as next
      from pg_current_snapshot() seen`.execute(db)
    return rows[0] ?? { oldest: 0, next: 0 }
  }
  const { next } = await ask()
  await expect
    .poll(async () => (await ask()).oldest, { timeout: 20_000, interval: 20 })
    .toBeGreaterThanOrEqual(next)
}
