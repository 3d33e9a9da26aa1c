import type { Loan } from '../contract/loans.ts'
import { type Entry, isUnsettled } from './entry.ts'
import { isLend, isReturn } from './overlay.ts'
import { copyKeysOf, inDeviceOrder } from './queue-order.ts'

type Pending = {
  /** Pending returns, by the id of the loan that each would close. */
  returns: Map<number, Entry>
  /** Pending lends whose copy was not returned since, newest first. */
  lends: Entry[]
}

export function pendingOver(
  loans: readonly Pick<Loan, 'id' | 'copy' | 'copy_barcode' | 'status'>[],
  entries: readonly Entry[],
  /** Which entries these rows may lack. */
  isLacked: (entry: Entry) => boolean = isUnsettled,
): Pending {
  const pending = entries.filter(isLacked).sort(inDeviceOrder)
  const lastOfCopy = new Map(
    pending.flatMap((entry) => copyKeysOf(entry).map((key) => [key, entry] as const)),
  )
  // A return that names a loan of the outbox closes no loan of the server.
  const returning = pending.filter((entry) => isReturn(entry) && entry.depends_on === null)
  const returnOfLoan = new Map(
    returning.flatMap((entry) => (entry.params['id'] ? [[Number(entry.params['id']), entry] as const] : [])),
  )
  const returnOfCopy = new Map(
    returning.flatMap((entry) =>
      entry.params['id'] ? [] : copyKeysOf(entry).map((key) => [key, entry] as const),
    ),
  )

  const returns = new Map<number, Entry>()
  for (const loan of loans) {
    if (loan.status !== 'in_progress') continue
    const keys = copyKeysOf({ copy_id: loan.copy, bar_code: loan.copy_barcode })
    const entry =
      returnOfLoan.get(loan.id) ??
      keys.map((key) => returnOfCopy.get(key)).find((found) => found !== undefined)
    if (entry) returns.set(loan.id, entry)
  }
  const lends = pending.filter(
    (entry) =>
      isLend(entry) &&
      copyKeysOf(entry).every(
        (key) => lastOfCopy.get(key) === entry || !isReturn(lastOfCopy.get(key) ?? entry),
      ),
  )
  return { returns, lends: lends.reverse() }
}
