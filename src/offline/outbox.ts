import { correctedTime } from './device-clock.ts'
import { readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { type Actor, type Entry, type NewAction, unsent } from './entry.ts'
import { newKey } from './new-key.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, unsettledEntries } from './outbox-store.ts'
import { inDeviceOrder } from './queue-order.ts'
import { transactSealing } from './seal.ts'
import { failureOf, type WriteFailure, writeMakingRoom } from './write-failure.ts'

/** Nothing may be confirmed to the reader; `exportEntries` can still save `entry`. */
export class OutboxWriteError extends Error {
  override name = 'OutboxWriteError'
  readonly failure: WriteFailure
  readonly entry: Entry

  constructor(failure: WriteFailure, entry: Entry, cause: unknown) {
    super(sentences[failure], { cause })
    this.failure = failure
    this.entry = entry
  }
}

/** What is to be done comes first: the end is what a short line cuts. */
const sentences: Record<WriteFailure, string> = {
  quota:
    'Exportez les actions en attente, puis libérez de la place. L’action n’est pas enregistrée\u202f: la mémoire de cet appareil est pleine.',
  outdated:
    'Rechargez la page. L’action n’est pas enregistrée\u202f: une version plus récente de Comptoir est ouverte sur cet appareil.',
  failed:
    'Réessayez, ou exportez les actions en attente. L’action n’est pas enregistrée\u202f: cet appareil n’a pas pu l’écrire.',
}

type Numbers = { id: string; device_seq: number; clock_offset: number | null }

/** The body carries the corrected date: the server refuses one more than 5 minutes ahead. */
function draftEntry(action: NewAction, actor: Actor, now: Date, numbers: Numbers): Omit<Entry, 'seq'> {
  const occurred = correctedTime(now, numbers.clock_offset).toISOString()
  return {
    ...action,
    ...actor,
    ...numbers,
    v: 1,
    place: null,
    resolves: action.resolves ?? null,
    adopted_by: null,
    frozen_body: JSON.stringify({ ...action.body, occurred_at: occurred, device_id: actor.device_id }),
    occurred_at: now.toISOString(),
    ...unsent,
  }
}

type Drafted = { action: NewAction; actor: Actor; now: Date; id: string; frozen_body?: string }

/** Gives it this device's next number and, where it was not sent with another already, its body. */
export async function draftNext(
  meta: Parameters<typeof readMeta>[0] & Parameters<typeof writeMeta>[0],
  { action, actor, now, id, frozen_body }: Drafted,
): Promise<Omit<Entry, 'seq'>> {
  const device_seq = ((await readMeta(meta, 'device_seq')) ?? 0) + 1
  const clock_offset = (await readMeta(meta, 'clock'))?.offset ?? null
  await writeMeta(meta, 'device_seq', device_seq)
  const draft = draftEntry(action, actor, now, { id, device_seq, clock_offset })
  return frozen_body === undefined ? draft : { ...draft, frozen_body }
}

/** Once it answers, the action is on the disk and may be confirmed. Throws `OutboxWriteError`. */
export async function recordAction(action: NewAction, actor: Actor, now = new Date()): Promise<Entry> {
  const id = newKey()
  let entry = draftEntry(action, actor, now, { id, device_seq: 0, clock_offset: null })
  let seq: number
  const write = () =>
    transactSealing(async (tx, { seal }) => {
      entry = seal(await draftNext(tx.objectStore('meta'), { action, actor, now, id }))
      // The store gives `seq`.
      return tx.objectStore('outbox').add(entry as Entry)
    })
  try {
    seq = await writeMakingRoom(write)
  } catch (error) {
    throw new OutboxWriteError(failureOf(error), { ...entry, seq: 0 }, error)
  }
  tellOutbox({ ids: [id], to_send: true })
  return { ...entry, seq }
}

export const getEntry = (id: string): Promise<Entry | null> =>
  transact(['outbox'], 'readonly', (tx) => findEntry(tx, id))

export const listEntries = (): Promise<Entry[]> =>
  transact(['outbox'], 'readonly', async (tx) =>
    (await tx.objectStore('outbox').getAll()).sort(inDeviceOrder),
  )

export const listUnsettled = (): Promise<Entry[]> =>
  transact(['outbox'], 'readonly', (tx) => unsettledEntries(tx))

const keptDoneMs = 7 * 24 * 3600_000

/** Whatever is not done stays, however old. */
export async function forgetOldEntries(now = new Date()): Promise<void> {
  const limit = new Date(now.getTime() - keptDoneMs).toISOString()
  await transact(['outbox'], 'readwrite', async (tx) => {
    const range = IDBKeyRange.upperBound(limit)
    for (let at = await tx.store.index('settled_at').openCursor(range); at; at = await at.continue()) {
      if (at.value.state === 'done') await at.delete()
    }
  })
}
