import { useCallback } from 'react'

import type { ListQuery } from '../../contract/list.ts'
import type { Loan } from '../../contract/loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { loanOfEntry } from '../../offline/open-loans.ts'
import { pendingOver } from '../../offline/pending-over.ts'
import { useEntries } from '../outbox/outbox-entries.ts'
import { type LibraryDay, useLibraryDay } from './use-today.ts'

/** A loan of the server, a waiting action, or a loan with its waiting return. */
export type LoanRow = {
  key: string
  loan: Loan | null
  entry: Entry | null
  title: string
  beneficiary: string
  start_date: string | null
  end_date: string | null
}

/** Nothing chosen but the sort: the view that shows what waits in the outbox on top. */
const isFirstView = ({ page, filters }: ListQuery): boolean =>
  page === 1 &&
  filters.every(
    ({ field, value }) => field === 'status' && Array.isArray(value) && value.join() === 'in_progress',
  )

/** Lays the outbox over the server's loans, unsent ones on top; an equal row stays the same object. */
export function useLoanRowsOf() {
  const entries = useEntries()
  const { day, zone } = useLibraryDay()
  return useCallback(
    (loans: readonly Loan[], list: ListQuery): LoanRow[] => {
      const { returns, lends } = pendingOver(loans, entries)
      return [
        ...(isFirstView(list) ? lends : []).map((entry) => rowOfEntry(entry, { day, zone })),
        ...loans.map((loan) => {
          const entry = returns.get(loan.id)
          return entry ? { ...rowOfLoan(loan), entry } : rowOfLoan(loan)
        }),
      ]
    },
    [entries, day, zone],
  )
}

const plainRows = new WeakMap<Loan, LoanRow>()

function rowOfLoan(loan: Loan): LoanRow {
  const known = plainRows.get(loan)
  if (known) return known
  const row = {
    key: String(loan.id),
    loan,
    entry: null,
    title: loan.reference_name,
    beneficiary: loan.beneficiary_name,
    start_date: loan.start_date,
    end_date: loan.end_date,
  }
  plainRows.set(loan, row)
  return row
}

export const rowOfEntry = (entry: Entry, at: LibraryDay): LoanRow => ({
  key: entry.id,
  loan: null,
  entry,
  title: entry.label.title,
  beneficiary: entry.label.beneficiary ?? '',
  start_date: loanOfEntry(entry, { ...at, medium: null }).start_date,
  end_date: entry.label.due,
})
