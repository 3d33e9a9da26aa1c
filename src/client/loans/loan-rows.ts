import { useMemo } from 'react'

import type { Loan } from '../../contract/loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { loanOfEntry } from '../../offline/open-loans.ts'
import { pendingOver } from '../../offline/pending-over.ts'
import { useEntries } from './outbox-entries.ts'
import { type LibraryDay, useLibraryDay } from './use-today.ts'

/** A line of a list of loans: the server's loan, an action that waits on this device, or a loan with its return that waits. */
export type LoanRow = {
  key: string
  loan: Loan | null
  entry: Entry | null
  title: string
  beneficiary: string
  start_date: string | null
  end_date: string | null
}

/** The server's loans with this device's outbox laid over them; loans not sent yet stand on top where `withLends`. */
export function useLoanRows(loans: readonly Loan[] | undefined, withLends: boolean): LoanRow[] | undefined {
  const entries = useEntries()
  const { day, zone } = useLibraryDay()
  const plain = useMemo(() => loans?.map(rowOfLoan), [loans])
  return useMemo(() => {
    if (!loans || !plain) return undefined
    const { returns, lends } = pendingOver(loans, entries)
    return [
      ...(withLends ? lends : []).map((entry) => rowOfEntry(entry, { day, zone })),
      ...plain.map((row) => {
        const entry = row.loan ? returns.get(row.loan.id) : undefined
        return entry ? { ...row, entry } : row
      }),
    ]
  }, [loans, plain, entries, withLends, day, zone])
}

const rowOfLoan = (loan: Loan): LoanRow => ({
  key: String(loan.id),
  loan,
  entry: null,
  title: loan.reference_name,
  beneficiary: loan.beneficiary_info,
  start_date: loan.start_date,
  end_date: loan.end_date,
})

export const rowOfEntry = (entry: Entry, at: LibraryDay): LoanRow => ({
  key: entry.id,
  loan: null,
  entry,
  title: entry.label.title,
  beneficiary: entry.label.beneficiary ?? '',
  start_date: loanOfEntry(entry, { ...at, medium: null }).start_date,
  end_date: entry.label.due,
})
