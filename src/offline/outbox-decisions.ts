import { type DeviceTransaction, transact } from './device-store.ts'
import { type Decision, type Entry, isRefused, unsent } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange, unsettledEntries } from './outbox-store.ts'
import { dropped, followInstead, repointed } from './replace-entry.ts'
import { type Sealing, transactSealing } from './seal.ts'

type Tx = DeviceTransaction<['outbox', 'meta'], 'readwrite'>

/** What was sent without an answer may have been applied, so it is sent again and never dropped. */
const mayBeDropped = (entry: Entry): boolean =>
  isRefused(entry) || ((entry.state === 'queued' || entry.state === 'waiting') && entry.attempts === 0)

/** False when the entry is settled, on its way, or may have reached the server. */
export async function dropEntry(
  id: string,
  username: string,
  reason: string,
  now = new Date(),
): Promise<boolean> {
  const isDone = await transact(
    ['outbox'],
    'readwrite',
    async (tx) => {
      const entry = await findEntry(tx, id)
      if (!entry || !mayBeDropped(entry)) return false
      await tx.store.put(dropped(entry, { username, reason, at: now.toISOString() }))
      await rearrange(tx)
      return true
    },
    'strict',
  )
  if (isDone) tellOutbox({ ids: [id], to_send: true })
  return isDone
}

/** False when it was sent (the server's undo decides then) or when another action depends on it. */
export async function withdrawQueued(id: string, username: string, now = new Date()): Promise<boolean> {
  const isDone = await transact(
    ['outbox'],
    'readwrite',
    async (tx) => {
      const entry = await findEntry(tx, id)
      if (!entry || entry.attempts > 0 || (entry.state !== 'queued' && entry.state !== 'waiting'))
        return false
      if ((await unsettledEntries(tx)).some(({ depends_on }) => depends_on === id)) return false
      await tx.store.put(dropped(entry, { username, reason: 'Repris avant l’envoi', at: now.toISOString() }))
      await rearrange(tx)
      return true
    },
    'strict',
  )
  if (isDone) tellOutbox({ ids: [id], to_send: true })
  return isDone
}

/** A refused entry gets a new key, or it would get the stored refusal; null when it is settled or sent. */
export async function retryEntry(
  id: string,
  { username }: { username: string },
  now = new Date(),
): Promise<Entry | null> {
  const retried = await transactSealing(async (tx, sealing) => {
    const entry = await findEntry(tx, id)
    if (!entry) return null
    if (
      entry.state === 'conflict' ||
      (entry.state === 'quarantined' && entry.problem?.reason === 'KEY_REUSED')
    ) {
      return replaceEntry(tx, sealing, entry, { username, reason: 'Réessayé', at: now.toISOString() })
    }
    if (entry.state !== 'queued' && entry.state !== 'waiting' && entry.state !== 'quarantined') return null
    const state = entry.state === 'quarantined' ? 'queued' : entry.state
    const due: Entry = { ...entry, state, next_try: 0, faults: 0, problem: null }
    await tx.objectStore('outbox').put(due)
    return arrangedEntry(tx, due)
  })
  if (retried) tellOutbox({ ids: [id, retried.id], to_send: true })
  return retried
}

async function replaceEntry(
  tx: Tx,
  { seal, newKey }: Sealing,
  old: Entry,
  decision: Decision,
): Promise<Entry> {
  const outbox = tx.objectStore('outbox')
  await outbox.put(dropped(old, decision))
  const { seq, ...rest } = repointed(old, await currentKey(tx, old.depends_on))
  const fresh: Omit<Entry, 'seq'> = seal({
    ...rest,
    id: newKey(),
    place: old.place ?? seq,
    resolves: old.id,
    ...unsent,
  })
  // The store gives `seq`.
  const replacement: Entry = { ...fresh, seq: await outbox.add(fresh as Entry) }
  await followInstead(tx, old.id, replacement.id, seal)
  return arrangedEntry(tx, replacement)
}

const arrangedEntry = async (tx: Tx, entry: Entry): Promise<Entry> =>
  (await rearrange(tx)).find(({ id }) => id === entry.id) ?? entry

async function currentKey(tx: Tx, key: string | null): Promise<string | null> {
  if (key === null) return null
  const retries = new Map(
    (await tx.objectStore('outbox').getAll()).map((entry) => [entry.resolves, entry.id]),
  )
  let current = key
  for (let next = retries.get(current); next !== undefined; next = retries.get(current)) {
    retries.delete(current)
    current = next
  }
  return current
}
