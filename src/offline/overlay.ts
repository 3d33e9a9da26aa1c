import type { Entry } from './entry.ts'
import { copyKeysOf, inDeviceOrder } from './queue-order.ts'

export type Overlay = {
  /** The last action on a copy, which says whether it is out; null when the snapshot is right. */
  lastOn(copy: { copy_id: number | null; bar_code: string | null }): Entry | null
  lends: readonly Entry[]
}

/** Refused and dropped actions changed nothing. */
const counts = ({ state }: Entry): boolean =>
  state === 'queued' || state === 'sending' || state === 'waiting' || state === 'done'

export const isLend = (entry: Entry): boolean => entry.label.kind === 'lend'
export const isReturn = (entry: Entry): boolean => entry.label.kind === 'return'

/** It came too late: another choice had settled the conflict without a loan. */
export const didNothing = (entry: Entry): boolean =>
  entry.endpoint === 'conflicts.settle' &&
  entry.state === 'done' &&
  entry.receipt !== null &&
  receiptOf(entry) === null

/** `entries`: those unsettled, and those done that the snapshot may lack. */
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

type CopyKeys = Pick<Entry, 'copy_id' | 'bar_code'>
type IndexName = 'state' | 'settled_at' | 'copy_id' | 'bar_code' | 'beneficiary_id'
type OutboxReading = {
  objectStore(name: 'outbox'): {
    index(name: IndexName): {
      getAll(query: string | number | IDBKeyRange): Promise<Entry[]>
      count(query: number): Promise<number>
    }
  }
}

/** Everything that the snapshot may lack: what waits, and what was done since `asked_at` (ISO). */
export async function readOverlay(tx: OutboxReading, asked_at: string): Promise<Overlay> {
  const outbox = tx.objectStore('outbox')
  const waiting = await Promise.all(
    (['queued', 'sending', 'waiting'] as const).map((state) => outbox.index('state').getAll(state)),
  )
  const settled = await outbox.index('settled_at').getAll(IDBKeyRange.lowerBound(asked_at))
  return overlayOf([...waiting.flat(), ...settled])
}

/** Beyond this, so many small reads take longer than one of a whole day. */
const mostSmallReads = 60

/** What concerns these copies, and all that was lent to a reader, because a scan must not read the whole day again; what waits alone where `asked_at` is null. */
export async function readOverlayOn(
  tx: OutboxReading,
  asked_at: string | null,
  copies: readonly CopyKeys[],
  beneficiary_id: number | null = null,
): Promise<Overlay> {
  const outbox = tx.objectStore('outbox')
  const read = async (name: IndexName, key: string | number | null) =>
    key === null ? [] : outbox.index(name).getAll(key)
  const own = beneficiary_id === null ? 0 : await outbox.index('beneficiary_id').count(beneficiary_id)
  if (asked_at !== null && copies.length + own > mostSmallReads) return readOverlay(tx, asked_at)
  const lent = (await read('beneficiary_id', beneficiary_id)).filter(isLend)
  const asked = [...copies, ...lent]
  const found = await Promise.all(
    asked.flatMap(({ copy_id, bar_code }) => [read('copy_id', copy_id), read('bar_code', bar_code)]),
  )
  const bySeq = new Map(found.flat().map((entry) => [entry.seq, entry]))
  const isLacked = ({ state, settled_at }: Entry) =>
    state !== 'done' || (asked_at !== null && (settled_at ?? '') >= asked_at)
  return overlayOf([...bySeq.values()].filter(isLacked))
}

/** By the loan's id, or else by its key. */
export const hasMade = (entry: Entry, row: { id: number | null; loan_key: string | null }): boolean =>
  entry.state === 'done' && (receiptOf(entry)?.id === row.id || entry.id === row.loan_key)

/** The loan that the server answered for a lend, or for the choice that settled a conflict. */
export function receiptOf(entry: Entry): { id: number; end_date?: string } | null {
  const answer = entry.receipt
  if (entry.state !== 'done' || typeof answer !== 'object' || answer === null) return null
  const receipt = 'loaning' in answer ? answer.loaning : answer
  if (typeof receipt !== 'object' || receipt === null) return null
  return 'id' in receipt && typeof receipt.id === 'number'
    ? (receipt as { id: number; end_date?: string })
    : null
}
