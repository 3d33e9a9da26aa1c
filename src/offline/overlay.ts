import type { Entry } from './entry.ts'
import { copyKeysOf, inDeviceOrder } from './queue-order.ts'

/** What the outbox says of the copies that it speaks of, laid over the snapshot. */
export type Overlay = {
  /** The last action on a copy: it tells whether the copy is out, whatever the snapshot says. Null: the snapshot is right. */
  lastOn(copy: { copy_id: number | null; bar_code: string | null }): Entry | null
  /** Loans that count, in the device's order. */
  lends: readonly Entry[]
}

/** Refused and dropped actions changed nothing; what waits or is done is believed. */
const counts = ({ state }: Entry): boolean =>
  state === 'queued' || state === 'sending' || state === 'waiting' || state === 'done'

export const isLend = (entry: Entry): boolean => entry.label.kind === 'lend'
export const isReturn = (entry: Entry): boolean => entry.label.kind === 'return'

/** A choice that came after another one had settled the conflict without a loan. One without a receipt did what it says. */
export const didNothing = (entry: Entry): boolean =>
  entry.endpoint === 'conflicts.settle' &&
  entry.state === 'done' &&
  entry.receipt !== null &&
  receiptOf(entry) === null

/** Takes what is not settled, and of what is done only what the snapshot may lack. */
export function overlayOf(entries: readonly Entry[]): Overlay {
  const last = new Map<string, Entry>()
  const lends: Entry[] = []
  for (const entry of entries.filter(counts).sort(inDeviceOrder)) {
    if ((!isLend(entry) && !isReturn(entry)) || didNothing(entry)) continue
    if (isLend(entry)) lends.push(entry)
    for (const key of copyKeysOf(entry)) last.set(key, entry)
  }
  return {
    lends,
    lastOn: (copy) => {
      const found = copyKeysOf(copy).flatMap((key) => last.get(key) ?? [])
      return found.sort(inDeviceOrder).at(-1) ?? null
    },
  }
}

/** As much of a transaction over `outbox` as the overlay reads. */
type OutboxReading = {
  objectStore(name: 'outbox'): {
    index(name: 'state' | 'settled_at'): { getAll(query: string | IDBKeyRange): Promise<Entry[]> }
  }
}

/** The overlay inside the caller's transaction. `asked_at` (ISO): since then the snapshot may lack what was done. */
export async function readOverlay(tx: OutboxReading, asked_at: string): Promise<Overlay> {
  const outbox = tx.objectStore('outbox')
  const waiting = await Promise.all(
    (['queued', 'sending', 'waiting'] as const).map((state) => outbox.index('state').getAll(state)),
  )
  const settled = await outbox.index('settled_at').getAll(IDBKeyRange.lowerBound(asked_at))
  return overlayOf([...waiting.flat(), ...settled])
}

/** Whether a loan of the snapshot is the one that this action made, by its number or else by its key. */
export const hasMade = (entry: Entry, row: { id: number | null; loan_key: string | null }): boolean =>
  entry.state === 'done' && (receiptOf(entry)?.id === row.id || entry.id === row.loan_key)

/** The loan that the server made of a lend, when it is done; of a settled conflict, the loan that the choice made. */
export function receiptOf(entry: Entry): { id: number; end_date?: string } | null {
  const answer = entry.receipt
  if (entry.state !== 'done' || typeof answer !== 'object' || answer === null) return null
  const receipt = 'loaning' in answer ? answer.loaning : answer
  if (typeof receipt !== 'object' || receipt === null) return null
  return 'id' in receipt && typeof receipt.id === 'number'
    ? (receipt as { id: number; end_date?: string })
    : null
}
