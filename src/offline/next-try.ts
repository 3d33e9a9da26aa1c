import type { Entry } from './entry.ts'
import { didNothing, receiptOf } from './overlay.ts'

/** The entries by the key of the one that each replaces: a new try of it, or the choice that settled it. */
export const byReplaced = (entries: Iterable<Entry>): Map<string, Entry> =>
  new Map(
    [...entries].flatMap((entry) => (entry.resolves === null ? [] : [[entry.resolves, entry] as const])),
  )

/** What became of an action: the last entry that does what it was to do. A choice that only notes something leaves it as it was. */
export function lastTryOf(entry: Entry, replaced: ReadonlyMap<string, Entry>): Entry {
  const seen = new Set<string>()
  let last = entry
  while (!seen.has(last.id)) {
    seen.add(last.id)
    const next = replaced.get(last.id)
    if (!next || next.label.kind !== entry.label.kind || didNothing(next)) return last
    last = next
  }
  return last
}

/** The same entry with the loan for receipt, where a choice before a conflict made or closed it. */
export const withLoanReceipt = (entry: Entry): Entry =>
  entry.state === 'done' && entry.endpoint === 'conflicts.settle'
    ? { ...entry, receipt: receiptOf(entry) }
    : entry
