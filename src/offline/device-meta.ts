import { type Side, type SnapshotSettings, transact } from './device-store.ts'
import { newKey } from './new-key.ts'

/** The signed-in person, where the service worker can read it: it has no local storage. */
export type DeviceSession = {
  token: string
  user_id: number
  username: string
  environment_id: number
  /** Current site; 0 is all sites. */
  site: number
  /** True once the server said that the token is over; entries wait for the next sign-in. */
  ended: boolean
}

/** Milliseconds the device's clock is ahead of the server's, and when that was measured. */
export type DeviceClock = { offset: number; measured_at: string }

/** The snapshot in use. `asked_at`: the device's time when its data was asked for, so the data is at least that fresh. */
export type SnapshotMark = {
  side: Side
  environment_id: number
  site: number
  cursor: string
  asked_at: string
}

/** A load under way. A full one is taken up again from its cursor; `run` tells whoever began it that another took over. */
export type LoadingMark = {
  run: string
  mode: 'full' | 'changes'
  side: Side
  environment_id: number
  site: number
  cursor: string | null
  began_at: string
  rows: number
  total: number
}

/** Who does a job of which only one may run, where Web Locks are missing. Epoch milliseconds. */
export type Lease = { holder: string; until: number }

export type DeviceMeta = {
  device_id: string
  device_seq: number
  session: DeviceSession
  clock: DeviceClock
  snapshot: SnapshotMark
  loading: LoadingMark
  settings_a: SnapshotSettings
  settings_b: SnapshotSettings
} & Record<`lease_${string}`, Lease>

type ReadStore = { get(key: string): Promise<unknown> }
type WriteStore = { put(value: unknown, key: string): Promise<unknown> }

/** The store holds what this module's types say: only these two functions touch its values. */
export const readMeta = async <K extends keyof DeviceMeta>(
  store: ReadStore,
  key: K,
): Promise<DeviceMeta[K] | null> => ((await store.get(key)) as DeviceMeta[K] | undefined) ?? null

export const writeMeta = async <K extends keyof DeviceMeta>(
  store: WriteStore,
  key: K,
  value: DeviceMeta[K],
): Promise<void> => {
  await store.put(value, key)
}

/** This device's UUID, made at its first use. */
export const deviceId = (): Promise<string> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const known = await readMeta(store, 'device_id')
    if (known !== null) return known
    const made = newKey()
    await writeMeta(store, 'device_id', made)
    return made
  })
