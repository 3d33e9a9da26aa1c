import { getInventory, listInventoryCopies, listScans } from '../../contract/inventories.ts'
import { membersOf, totalOf } from '../../contract/list.ts'
import { locations } from '../../contract/locations.ts'
import { type CountName, countName, type LoadedCount, type Shelf } from '../../offline/inventory-rows.ts'
import { scansOf } from '../../offline/inventory-scans.ts'
import { keepCopies, keepCount, keepOthers, readCount } from '../../offline/inventory-store.ts'
import { call } from '../api/call.ts'

export type Loading = { done: number; total: number }

/** Brings an inventory onto this device, page by page; a load that was cut goes on where it was. Throws CallError. */
export async function loadCount(
  environment_id: number,
  id: number,
  onProgress: (loading: Loading) => void = () => undefined,
): Promise<void> {
  const name = countName(environment_id, id)
  const [inventory, shelves, known] = await Promise.all([
    call(getInventory, { params: { id } }),
    allShelves(),
    readCount(name),
  ])
  const isCut = known !== null && known.loaded_at === null
  const begun: LoadedCount = {
    cursor: null,
    shelf: null,
    loaded_at: null,
    copies: 0,
    total: inventory.expected,
    ...known,
    environment_id,
    id,
    name: inventory.name,
    status: inventory.status,
    site: inventory.site,
    site_name: inventory.site_name,
    locations: inventory.locations,
    shelves,
    after: isCut ? known.after : 0,
  }
  await keepCount(begun)
  let { after } = begun
  for (let done = isCut ? begun.copies : 0, isAll = false; !isAll;) {
    const page = await call(listInventoryCopies, {
      params: { id },
      query: after ? { after: String(after) } : {},
    })
    const from = after
    after = page.copies.at(-1)?.id ?? after
    done += page.copies.length
    isAll = page.complete
    const loaded_at = isAll ? new Date().toISOString() : begun.loaded_at
    await keepCopies(name, { ...page, after: from }, { after, copies: done, total: page.total, loaded_at })
    onProgress({ done, total: Math.max(page.total, done) })
  }
}

/** Brings what other devices have counted since, and says so after each page that has any. Throws CallError. */
export async function fetchOthers(name: CountName, id: number, onOthers: () => Promise<void>): Promise<void> {
  let cursor = (await readCount(name))?.cursor ?? null
  for (;;) {
    const page = await call(listScans, { params: { id }, query: cursor === null ? {} : { since: cursor } })
    const own = new Set((await scansOf(name)).map(({ key }) => key))
    const others = page.scans.filter(({ key }) => !own.has(key))
    await keepOthers(name, others, page.cursor)
    cursor = page.cursor
    if (others.length > 0) await onOthers()
    if (page.complete) return
  }
}

async function allShelves(): Promise<Shelf[]> {
  const shelves: Shelf[] = []
  for (let page = 1; ; page += 1) {
    const found = await call(locations.list, {
      list: { limit: 500, page, order: [{ field: 'label', direction: 'asc' }] },
    })
    shelves.push(
      ...membersOf(found).map(({ id, label, bar_code }) => ({ id, label, bar_code: bar_code ?? null })),
    )
    if (shelves.length >= totalOf(found) || membersOf(found).length === 0) return shelves
  }
}
