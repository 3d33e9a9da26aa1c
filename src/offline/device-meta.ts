import { type Side, type SnapshotSettings, transact } from './device-store.ts'
import { newKey } from './new-key.ts'
import type { QueueFile } from './read-queue-file.ts'

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

/** The key with which a session seals what it does, and whose session it is. */
export type DeviceSeal = {
  id: string
  key: CryptoKey | Uint8Array
  token: string
  environment_id: number
  user_id: number
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

/** How a person's code for this screen is recognised (see lock-code.ts); `failed` counts the tries since the last right one. */
export type LockCode = {
  environment_id: number
  user_id: number
  salt: Uint8Array<ArrayBuffer>
  rounds: number
  hash: Uint8Array<ArrayBuffer>
  failed: number
}

/** A file that the system handed over, and when, in epoch milliseconds. */
export type OfferedFile = QueueFile & { id: string; bytes: number; at: number }

export type DeviceMeta = {
  lock_code: LockCode
  device_id: string
  /** By which the device proves to the server that it is itself: 256 random bits in base64url. */
  device_secret: string
  device_seq: number
  session: DeviceSession
  seal: DeviceSeal
  clock: DeviceClock
  snapshot: SnapshotMark
  loading: LoadingMark
  /** When the last settled entry was settled that is known to name nobody (see without-names.ts). */
  nameless_until: string
  /** Handed over by the system, to be asked about (see offered-files.ts). */
  offered_files: OfferedFile[]
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
export const deviceId = (): Promise<string> => made('device_id', newKey)

/** What this device shows when somebody signs in on it: its UUID and its secret, as the header `X-Device` carries them. */
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

/** At sign-out (see lock-code.ts). */
export const forgetLockCode = (): Promise<void> =>
  transact(['meta'], 'readwrite', (tx) => tx.objectStore('meta').delete('lock_code'))
