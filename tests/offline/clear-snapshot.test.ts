import { afterEach, describe, expect, it, vi } from 'vitest'

import { clearSnapshot, forgetAfterRefusal } from '../../src/offline/clear-snapshot.ts'
import { snapshotStoresOf, transact } from '../../src/offline/device-store.ts'
import { noteSessionRefused } from '../../src/offline/session-mirror.ts'
import { watchSessionRefused } from '../../src/offline/session-news.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import {
  copyRow,
  freshDevice,
  keepMeta,
  lending,
  loadSnapshot,
  loanRow,
  metaOf,
  readerRow,
  record,
  reservationRow,
  signIn,
} from './device.ts'

freshDevice()
afterEach(() => vi.unstubAllGlobals())

const rows = {
  copies: [copyRow(1)],
  beneficiaries: [readerRow(1)],
  loanings: [loanRow(1)],
  reservations: [reservationRow(1)],
  settings: { media: [], reasons: [], parameters: {} },
}
const rowsLeft = async () => {
  const names = [...snapshotStoresOf('a'), ...snapshotStoresOf('b')]
  const counts = await transact(names, 'readonly', (tx) =>
    Promise.all(names.map((name) => tx.objectStore(name).count())),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
const loading = {
  run: 'x',
  mode: 'full',
  environment_id: 1,
  site: 1,
  cursor: null,
  rows: 0,
  total: 0,
} as const
/** One side in use, and a load of the other under way. */
const seed = async () => {
  await loadSnapshot(rows)
  const used = (await metaOf('snapshot'))?.side
  const side = used === 'a' ? 'b' : 'a'
  await keepMeta('loading', { ...loading, side, began_at: '' })
  await transact([`copies_${side}`], 'readwrite', (tx) => tx.store.put(copyRow(2)))
}

describe('clearSnapshot', () => {
  it('leaves no row on either side, no mark and no image, and the outbox as it is', async () => {
    await seed()
    await record(lending(1))
    const emptied: string[] = []
    vi.stubGlobal('caches', { delete: (name: string) => Promise.resolve(emptied.push(name) > 0) })
    expect(await rowsLeft()).toBe(5)
    await clearSnapshot()
    expect(await rowsLeft()).toBe(0)
    for (const key of ['snapshot', 'loading', 'settings_a', 'settings_b'] as const)
      expect(await metaOf(key)).toBeNull()
    expect(emptied).toEqual(['comptoir-images'])
    expect(await listEntries()).toHaveLength(1)
  })
})

describe('forgetAfterRefusal', () => {
  it('empties the device and tells every page, once the token was refused', async () => {
    await signIn()
    await seed()
    await transact(['meta'], 'readwrite', (tx) => noteSessionRefused(tx.store, 'jeton'))
    const heard = vi.fn()
    const stop = watchSessionRefused(heard)
    await forgetAfterRefusal('jeton')
    stop()
    expect(heard).toHaveBeenCalledExactlyOnceWith()
    expect(await rowsLeft()).toBe(0)
  })

  it('leaves all to who has signed in since, or is signed in still', async () => {
    await seed()
    const heard = vi.fn()
    const stop = watchSessionRefused(heard)
    await forgetAfterRefusal('jeton')
    await transact(['meta'], 'readwrite', (tx) => noteSessionRefused(tx.store, 'jeton'))
    await forgetAfterRefusal('autre')
    stop()
    expect(heard).not.toHaveBeenCalled()
    expect(await rowsLeft()).toBe(5)
  })
})
