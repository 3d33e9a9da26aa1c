import type { Entry } from './entry.ts'
import { didNothing, receiptOf } from './overlay.ts'

/** By the key of the entry that each one replaces. */
export const byReplaced = (entries: Iterable<Entry>): Map<string, Entry> =>
  new Map(
    [...entries].flatMap((entry) => (entry.resolves === null ? [] : [[entry.resolves, entry] as const])),
  )

/** The last try of an action; a choice that only notes something does not count. */
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

/** The receipt of a settled conflict becomes that of the loan which the choice made or closed. */
export const withLoanReceipt = (entry: Entry): Entry =>
  entry.state === 'done' && entry.endpoint === 'conflicts.settle'
    ? { ...entry, receipt: receiptOf(entry) }
    : entry
