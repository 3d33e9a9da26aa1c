import { correctedTime } from './device-clock.ts'
import { readMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import type { Actor } from './entry.ts'
import { tellInventory } from './inventory-news.ts'
import { type CountName, countName, type NewScan, type StoredScan } from './inventory-rows.ts'
import { failureOf, type WriteFailure, writeMakingRoom } from './write-failure.ts'

/** Nothing may be said of the scan; `scan` can still be saved as a file. */
export class ScanWriteError extends Error {
  override name = 'ScanWriteError'
  readonly failure: WriteFailure
  constructor(failure: WriteFailure, cause: unknown) {
    super(sentences[failure], { cause })
    this.failure = failure
  }
}

const sentences: Record<WriteFailure, string> = {
  quota:
    'Le scan n’est pas enregistré\u202f: la mémoire de cet appareil est pleine. Libérez de la place, puis scannez de nouveau.',
  outdated:
    'Le scan n’est pas enregistré\u202f: une version plus récente de Comptoir est ouverte sur cet appareil. Rechargez la page.',
  failed: 'Le scan n’est pas enregistré\u202f: cet appareil n’a pas pu l’écrire. Scannez de nouveau.',
}

/** Once it answers, the scan is on the disk and may be shown. Throws `ScanWriteError`. */
export async function recordScan(
  scan: NewScan,
  { environment_id, user_id, username, device_id }: Omit<Actor, 'site'>,
  now = new Date(),
): Promise<StoredScan> {
  const count = countName(environment_id, scan.inventory)
  const write = () =>
    transact(
      ['inventory_scans', 'meta'],
      'readwrite',
      async (tx): Promise<StoredScan> => {
        const offset = (await readMeta(tx.objectStore('meta'), 'clock'))?.offset ?? null
        const stored: Omit<StoredScan, 'seq'> = {
          ...scan,
          environment_id,
          user_id,
          username,
          device_id,
          v: 1,
          count,
          note: '',
          taken_back: false,
          scanned_at: correctedTime(now, offset).toISOString(),
          state: 'queued',
          revision: 0,
          is_late: false,
          problem: null,
        }
        // The store gives `seq`.
        const seq = await tx.objectStore('inventory_scans').add(stored as StoredScan)
        return { ...stored, seq }
      },
      'strict',
    )
  const stored = await written(write)
  tellInventory({ count, to_send: true })
  return stored
}

/** Says something else of a scan, which goes to the server again under the same key. */
export async function changeScan(
  key: string,
  change: Partial<Pick<StoredScan, 'note' | 'taken_back'>>,
): Promise<StoredScan | null> {
  const write = () =>
    transact(
      ['inventory_scans'],
      'readwrite',
      async (tx) => {
        const scan = await tx.store.index('key').get(key)
        if (!scan) return null
        const changed: StoredScan = {
          ...scan,
          ...change,
          state: 'queued',
          problem: null,
          revision: scan.revision + 1,
        }
        await tx.store.put(changed)
        return changed
      },
      'strict',
    )
  const changed = await written(write)
  if (changed) tellInventory({ count: changed.count, to_send: true })
  return changed
}

async function written<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await writeMakingRoom(write)
  } catch (error) {
    throw new ScanWriteError(failureOf(error), error)
  }
}

/** In the order they were made. */
export const scansOf = (count: CountName): Promise<StoredScan[]> =>
  transact(['inventory_scans'], 'readonly', (tx) => tx.store.index('count').getAll(count))

/** Of all inventories and persons. */
export const unsentScans = (): Promise<StoredScan[]> =>
  transact(['inventory_scans'], 'readonly', async (tx) => {
    const byState = tx.store.index('state')
    return [...(await byState.getAll('queued')), ...(await byState.getAll('refused'))]
  })

/** What a refusal kept here goes to the server once more. */
export async function sendRefusedAgain(count: CountName): Promise<void> {
  await transact(['inventory_scans'], 'readwrite', async (tx) => {
    for (const scan of await tx.store.index('state').getAll('refused')) {
      if (scan.count === count) await tx.store.put({ ...scan, state: 'queued', problem: null })
    }
  })
  tellInventory({ count, to_send: true })
}
