import { filledPath } from '../contract/path.ts'
import { sealedText } from '../contract/seal.ts'
import type { DeviceMeta } from './device-meta.ts'
import { readMeta, writeMeta } from './device-meta.ts'
import { type DeviceTransaction, transact } from './device-store.ts'
import { type Entry, personOf, senderOf } from './entry.ts'
import { newKey } from './new-key.ts'
import { waitingEndpoints } from './waiting-endpoints.ts'

type Opened = { id: string; key: string }

/** The key cannot be exported and goes with the session: nobody can seal later in this person's name. */
export async function rememberSeal(
  { id, key }: Opened,
  session: { token: string; environment_id: number; user_id: number },
): Promise<void> {
  const { token, environment_id, user_id } = session
  const seal = { id, key: await importKey(bytesOf(key)), token, environment_id, user_id }
  await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    // The session may have ended while the key was imported.
    if ((await readMeta(meta, 'session'))?.token === token) await writeMeta(meta, 'seal', seal)
  })
}

export const hasSeal = (token: string): Promise<boolean> =>
  transact(
    ['meta'],
    'readonly',
    async (tx) => (await readMeta(tx.objectStore('meta'), 'seal'))?.token === token,
  )

type SealKey = DeviceMeta['seal']['key']
const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** Without HTTPS there is no `crypto.subtle`, so the bytes themselves are kept. */
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
  /** Seals the entry if this session is its sender's; otherwise its seal is null. */
  seal: <E extends Omit<Entry, 'seq'>>(entry: E) => E
  newKey: () => string
}

type Tx = DeviceTransaction<['outbox', 'meta'], 'readwrite'>

/** The clock or the session may change what is sealed between two runs, but not without end. */
const mostRuns = 5

/** No signature fits in a transaction, so `work` runs again with it, and must take its keys from `newKey`. */
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

class SealsWanted extends Error {}
