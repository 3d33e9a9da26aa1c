import { readMeta } from './device-meta.ts'
import { type Side, snapshotKinds, transact } from './device-store.ts'

/** Rows in one transaction: few enough that the page and look-ups do not wait. */
export const rowsAtOnce = 250

type MetaStore = Parameters<typeof readMeta>[0]

/** In ranges, because one `clear` of 200,000 rows blocks every other writer in some browsers. */
export async function emptySide(
  side: Side,
  mayGoOn: (side: Side, meta: MetaStore) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  for (const kind of snapshotKinds) {
    const name = `${kind}_${side}` as const
    for (let left = true; left;) {
      left = await transact(['meta', name], 'readwrite', async (tx) => {
        if (!(await mayGoOn(side, tx.objectStore('meta')))) return false
        const store = tx.objectStore(name)
        const keys = await store.getAllKeys(null, rowsAtOnce * 8)
        const [first, last] = [keys[0], keys.at(-1)]
        if (first === undefined || last === undefined) return false
        await store.delete(IDBKeyRange.bound(first, last))
        return true
      })
      await breathe()
    }
  }
  await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    if (!(await mayGoOn(side, meta))) return
    await meta.delete(`settings_${side}`)
    await meta.delete(`shapes_${side}`)
  })
}

export const emptyUnusedSide = (side: Side): Promise<void> =>
  emptySide(side, async (_, meta) => {
    const marks = [await readMeta(meta, 'snapshot'), await readMeta(meta, 'loading')]
    return marks.every((mark) => mark?.side !== side)
  })

/** Lets the page draw and the person type between two transactions. */
export const breathe = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 0)
  })
