import { filledPath } from '../contract/path.ts'
import { sealedText } from '../contract/seal.ts'
import type { DeviceMeta } from './device-meta.ts'
import { readMeta, writeMeta } from './device-meta.ts'
import { type DeviceTransaction, transact } from './device-store.ts'
import { type Entry, personOf, senderOf } from './entry.ts'
import { newKey } from './new-key.ts'
import { waitingEndpoints } from './waiting-endpoints.ts'

type Opened = { id: string; key: string }

/**
 * Keeps the key with which this session seals what it does. The browser uses it and never gives it back; it leaves with the session, so
 * that nobody who comes after can seal in this person's name.
 */
export async function rememberSeal(
  { id, key }: Opened,
  session: { token: string; environment_id: number; user_id: number },
): Promise<void> {
  const { token, environment_id, user_id } = session
  const seal = { id, key: await importKey(bytesOf(key)), token, environment_id, user_id }
  await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    // The session may have ended while the key was on its way.
    if ((await readMeta(meta, 'session'))?.token === token) await writeMeta(meta, 'seal', seal)
  })
}

/** Whether this session has its key. */
export const hasSeal = (token: string): Promise<boolean> =>
  transact(
    ['meta'],
    'readonly',
    async (tx) => (await readMeta(tx.objectStore('meta'), 'seal'))?.token === token,
  )

type SealKey = DeviceMeta['seal']['key']
const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** Pages that are not served over HTTPS have no such keys: there the bytes themselves are kept. */
async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<SealKey> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto }
  return subtle ? subtle.importKey('raw', bytes, hmac, false, ['sign']) : bytes
}

async function signText(key: SealKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (key instanceof Uint8Array) {
    const [{ hmac: sign }, { sha256 }] = await Promise.all([
      import('@noble/hashes/hmac.js'),
      import('@noble/hashes/sha2.js'),
    ])
    return textOf(sign(sha256, key, bytes))
  }
  return textOf(new Uint8Array(await crypto.subtle.sign(hmac, key, bytes)))
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** What the seal of an entry holds: all that the server acts on. */
const textOfEntry = (entry: Omit<Entry, 'seq'>): string => {
  const { method, path } = waitingEndpoints[entry.endpoint]
  return sealedText({
    key: entry.id,
    method,
    path: filledPath(path, entry.params),
    site: entry.site,
    on_behalf_of: entry.adopted_by ? entry.user_id : null,
    body: entry.frozen_body,
  })
}

export type Sealing = {
  /** The entry with the seal of the session, where that is the session of whoever sends it; else with none. */
  seal: <E extends Omit<Entry, 'seq'>>(entry: E) => E
  /** A key for a new entry. */
  newKey: () => string
}

type Tx = DeviceTransaction<['outbox', 'meta'], 'readwrite'>

/** Between two runs the clock or the session may change what is sealed; it cannot go on doing so. */
const mostRuns = 5

/**
 * Runs `work` in one strict transaction, in which it may seal. Sealing waits for what no transaction waits for, so a first run finds out
 * what is to be sealed and is undone; the next finds the seals made. `work` does the same each time: keys come from `newKey`.
 */
export async function transactSealing<T>(work: (tx: Tx, sealing: Sealing) => Promise<T>): Promise<T> {
  const made = new Map<string, string>()
  const keys: string[] = []
  for (let run = 1; ; run += 1) {
    const wanted: { name: string; key: SealKey; text: string }[] = []
    try {
      return await transact(
        ['outbox', 'meta'],
        'readwrite',
        async (tx) => {
          const held = await readMeta(tx.objectStore('meta'), 'seal')
          let taken = 0
          const result = await work(tx, {
            seal: (entry) => {
              if (!held || personOf(held) !== senderOf(entry)) return { ...entry, seal: null }
              const text = textOfEntry(entry)
              const name = `${held.id} ${text}`
              const mac = made.get(name)
              if (mac === undefined && run < mostRuns) wanted.push({ name, key: held.key, text })
              return { ...entry, seal: mac === undefined ? null : { id: held.id, mac } }
            },
            newKey: () => {
              const key = (keys[taken] ??= newKey())
              taken += 1
              return key
            },
          })
          if (wanted.length > 0) throw new SealsWanted()
          return result
        },
        'strict',
      )
    } catch (error) {
      if (!(error instanceof SealsWanted)) throw error
      for (const { name, key, text } of wanted) made.set(name, await signText(key, text))
    }
  }
}

/** Undoes a run whose seals are not made yet. */
class SealsWanted extends Error {}
