import type { InventoryCopy } from '../contract/inventories.ts'
import { readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import {
  type CountedByOther,
  type CountName,
  countName,
  type LoadedCount,
  type StoredCopy,
} from './inventory-rows.ts'

// What a device must know of an inventory to judge scans without a network.

const metaKey = (count: CountName) => `count_${count}` as const
const allOf = (count: CountName) => IDBKeyRange.bound([count], [count, []])

export const readCount = (count: CountName): Promise<LoadedCount | null> =>
  transact(['meta'], 'readonly', (tx) => readMeta(tx.objectStore('meta'), metaKey(count)))

/** Where the person stands and up to where others are known stays as it is by now: somebody went on while the rest was fetched. */
export const keepCount = (loaded: LoadedCount): Promise<void> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const key = metaKey(countName(loaded.environment_id, loaded.id))
    const known = await readMeta(tx.store, key)
    const { shelf, cursor } = known ?? loaded
    await writeMeta(tx.store, key, { ...loaded, shelf, cursor })
  })

/** What is already known of it stays where `change` does not say otherwise. */
export const changeCount = (count: CountName, change: Partial<LoadedCount>): Promise<LoadedCount | null> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const known = await readMeta(tx.store, metaKey(count))
    if (known === null) return null
    const changed = { ...known, ...change }
    await writeMeta(tx.store, metaKey(count), changed)
    return changed
  })

/** `complete`: no copy comes after those of the page. */
type CopiesPage = { after: number; copies: readonly InventoryCopy[]; complete: boolean }

/** A page of copies in place of those known among them, some of which have left, and up to where they are known. */
export const keepCopies = (
  count: CountName,
  { after, copies, complete }: CopiesPage,
  change: Partial<LoadedCount>,
): Promise<void> =>
  transact(['inventory_copies', 'meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    const store = tx.objectStore('inventory_copies')
    const known = await readMeta(meta, metaKey(count))
    if (known === null) return
    const last = copies.at(-1)?.id ?? after
    await store.delete(IDBKeyRange.bound([count, after], complete ? [count, []] : [count, last], true))
    await Promise.all(copies.map((copy) => store.put({ ...copy, count })))
    await writeMeta(meta, metaKey(count), { ...known, ...change })
  })

export const copiesOf = (count: CountName): Promise<StoredCopy[]> =>
  transact(['inventory_copies'], 'readonly', (tx) => tx.store.getAll(allOf(count)))

export const keepOthers = (
  count: CountName,
  others: readonly Omit<CountedByOther, 'count'>[],
  cursor: string,
): Promise<void> =>
  transact(['inventory_others', 'meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    const store = tx.objectStore('inventory_others')
    const known = await readMeta(meta, metaKey(count))
    if (known === null) return
    await Promise.all(
      others.map(({ key, copy, location, scanned_at, who, taken_back }) =>
        store.put({ count, key, copy, location, scanned_at, who, taken_back }),
      ),
    )
    await writeMeta(meta, metaKey(count), { ...known, cursor })
  })

export const othersOf = (count: CountName): Promise<CountedByOther[]> =>
  transact(['inventory_others'], 'readonly', (tx) => tx.store.getAll(allOf(count)))

/** Every inventory that this device has loaded for an environment. */
export const loadedCounts = (environment_id: number): Promise<LoadedCount[]> =>
  transact(['meta'], 'readonly', async (tx) => {
    const first = `count_${environment_id}/`
    const range = IDBKeyRange.bound(first, `${first}\uffff`)
    return (await tx.objectStore('meta').getAll(range)) as LoadedCount[]
  })

/** Frees the room of an inventory that is over; what was refused of it stays unless it is given up, and what is to be sent always. */
export const forgetCount = (count: CountName, refused: 'kept' | 'given-up' = 'kept'): Promise<boolean> =>
  transact(['meta', 'inventory_copies', 'inventory_others', 'inventory_scans'], 'readwrite', async (tx) => {
    const scans = tx.objectStore('inventory_scans')
    const own = await scans.index('count').getAll(count)
    if (own.some(({ state }) => state === 'queued' || (state === 'refused' && refused === 'kept')))
      return false
    await Promise.all([
      tx.objectStore('meta').delete(metaKey(count)),
      tx.objectStore('inventory_copies').delete(allOf(count)),
      tx.objectStore('inventory_others').delete(allOf(count)),
      ...own.map(({ seq }) => scans.delete(seq)),
    ])
    return true
  })
