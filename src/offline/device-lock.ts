import { readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { newKey } from './new-key.ts'

/** Runs `work` alone under that name, or answers null. `keep` renews the lease: call it every 30 s. */
export type DeviceLock = <T>(
  name: string,
  work: (keep: () => Promise<void>) => Promise<T>,
) => Promise<T | null>

const leaseMs = 60_000

/** For a page: waits its turn, or gives way where the browser has no Web Locks. */
export const waitForLock: DeviceLock = (name, work) => withLock(name, work, false)

export const lockIfFree: DeviceLock = (name, work) => withLock(name, work, true)

function withLock<T>(
  name: string,
  work: (keep: () => Promise<void>) => Promise<T>,
  ifAvailable: boolean,
): Promise<T | null> {
  // Locks are missing in older browsers and outside HTTPS.
  const { navigator } = globalThis as { navigator?: { locks?: LockManager } }
  if (!navigator?.locks) return underLease(name, work)
  return navigator.locks.request(name, { ifAvailable }, (lock) =>
    lock ? work(() => Promise.resolve()) : null,
  )
}

/** The same as a row in the store: the lease of a dead holder expires. */
export const underLease: DeviceLock = async (name, work) => {
  const holder = newKey()
  const key = `lease_${name}` as const
  const take = () =>
    transact(['meta'], 'readwrite', async (tx) => {
      const meta = tx.objectStore('meta')
      const lease = await readMeta(meta, key)
      if (lease && lease.holder !== holder && lease.until > Date.now()) return false
      await writeMeta(meta, key, { holder, until: Date.now() + leaseMs })
      return true
    })
  if (!(await take())) return null
  try {
    return await work(async () => {
      await take()
    })
  } finally {
    await transact(['meta'], 'readwrite', async (tx) => {
      const meta = tx.objectStore('meta')
      if ((await readMeta(meta, key))?.holder === holder) await meta.delete(key)
    })
  }
}
