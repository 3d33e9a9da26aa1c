import type { CodeShape } from '../domain/code-shapes.ts'
import { type Side, type SnapshotSettings, transact } from './device-store.ts'
import type { LoadedCount, ScanWait } from './inventory-rows.ts'
import { newKey } from './new-key.ts'
import type { QueueFile } from './read-queue-file.ts'

/** The signed-in person, kept here because the service worker cannot read local storage. */
export type DeviceSession = {
  token: string
  user_id: number
  username: string
  environment_id: number
  /** 0 is all sites. */
  site: number
  /** True once the server refused the token; entries then wait for the next sign-in. */
  ended: boolean
}

type DeviceSeal = {
  id: string
  key: CryptoKey | Uint8Array
  token: string
  environment_id: number
  user_id: number
}

/** `offset`: ms by which the device's clock is ahead of the server's. */
export type DeviceClock = { offset: number; measured_at: string }

/** The snapshot in use; its data is at least as fresh as `asked_at`, by the device's clock. */
export type SnapshotMark = {
  side: Side
  environment_id: number
  site: number
  cursor: string
  asked_at: string
}

/** A full load resumes from its cursor; a changed `run` means that another took over. */
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

/** Who holds a job that only one may run, where Web Locks are missing; `until` in epoch milliseconds. */
type Lease = { holder: string; until: number }

/** See lock-code.ts; `failed` counts the tries since the last right code. */
export type LockCode = {
  environment_id: number
  user_id: number
  salt: Uint8Array<ArrayBuffer>
  rounds: number
  hash: Uint8Array<ArrayBuffer>
  failed: number
}

/** `at` is in epoch milliseconds. */
export type OfferedFile = QueueFile & { id: string; bytes: number; at: number }

export type DeviceMeta = {
  lock_code: LockCode
  device_id: string
  /** Proves to the server which device this is: 256 random bits in base64url. */
  device_secret: string
  device_seq: number
  session: DeviceSession
  seal: DeviceSeal
  clock: DeviceClock
  snapshot: SnapshotMark
  loading: LoadingMark
  /** Up to this `settled_at`, settled entries are known to name nobody (without-names.ts). */
  nameless_until: string
  offered_files: OfferedFile[]
  /** What images may take on this device, in millions of bytes. */
  image_budget: 0 | 20 | 100
  settings_a: SnapshotSettings
  settings_b: SnapshotSettings
  /** What the codes of the snapshot's copies and cards look like. */
  shapes_a: CodeShape[]
  shapes_b: CodeShape[]
  /** Between two tries to send scans of inventories. */
  scan_wait: ScanWait
} & Record<`lease_${string}`, Lease> &
  Record<`count_${string}`, LoadedCount>

type ReadStore = { get(key: string): Promise<unknown> }
type WriteStore = { put(value: unknown, key: string): Promise<unknown> }

/** Only these two functions touch the store's values, so they hold what `DeviceMeta` says. */
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

export const deviceId = (): Promise<string> => made('device_id', newKey)

/** The header `X-Device`, sent at sign-in. */
export const deviceProof = async (): Promise<string> =>
  `${await deviceId()}.${await made('device_secret', newSecret)}`

const made = (name: 'device_id' | 'device_secret', make: () => string): Promise<string> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const known = await readMeta(store, name)
    if (known !== null) return known
    const fresh = make()
    await writeMeta(store, name, fresh)
    return fresh
  })

const newSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export const forgetLockCode = (): Promise<void> =>
  transact(['meta'], 'readwrite', (tx) => tx.objectStore('meta').delete('lock_code'))
