import type { DeviceTransaction } from './device-store.ts'
import { type Entry, unsettledStates } from './entry.ts'
import { heldBack, inDeviceOrder } from './queue-order.ts'

type WithOutbox = ('outbox' | 'meta')[]
type Reading = Pick<DeviceTransaction<WithOutbox, 'readonly' | 'readwrite'>, 'objectStore'>
type Writing = Pick<DeviceTransaction<WithOutbox, 'readwrite'>, 'objectStore'>

// These functions run inside the caller's transaction.

export const findEntry = async (tx: Reading, id: string): Promise<Entry | null> =>
  (await tx.objectStore('outbox').index('id').get(id)) ?? null

export async function unsettledEntries(tx: Reading): Promise<Entry[]> {
  const index = tx.objectStore('outbox').index('state')
  const entries = await Promise.all(unsettledStates.map((state) => index.getAll(state)))
  return entries.flat().sort(inDeviceOrder)
}

/** Updates `queued` and `waiting`; answers the unsettled entries in order. */
export async function rearrange(tx: Writing): Promise<Entry[]> {
  const entries = await unsettledEntries(tx)
  const held = heldBack(entries)
  const arranged = entries.map((entry): Entry => {
    if (entry.state === 'queued' && held.has(entry.id)) return { ...entry, state: 'waiting' }
    if (entry.state === 'waiting' && !held.has(entry.id)) return { ...entry, state: 'queued' }
    return entry
  })
  const changed = arranged.filter((entry, at) => entry !== entries[at])
  await Promise.all(changed.map((entry) => tx.objectStore('outbox').put(entry)))
  return arranged
}
