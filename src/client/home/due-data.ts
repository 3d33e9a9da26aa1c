import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { membersOf, totalOf, type ListQuery } from '../../contract/list.ts'
import { listLoans, type Loan } from '../../contract/loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { pendingOver } from '../../offline/pending-over.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { ofReadyDevice, serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { type DatedLoan, heldOfServer, rowOfHeld } from '../loans/held-loan.ts'
import { useEntries } from '../outbox/outbox-entries.ts'
import { type DueKind, dueQuery } from './due-lists.ts'
import { listDueOffline } from './due-offline.ts'

/** `loan` is null off line, where the device tells the row; `returning` is its return in the outbox. */
export type DueRow = { held: DatedLoan; loan: Loan | null; category: string; returning: Entry | null }
type DueList = { rows: DueRow[]; total: number; isFromDevice: boolean }

const dueListQuery = (kind: DueKind, list: ListQuery, today: string, isOnline: boolean) =>
  queryOptions({
    // The connection is part of the key, so that the server is asked as soon as it is back.
    queryKey: ['loanings', 'due', kind, list, today, isOnline],
    queryFn: ({ client, signal }): Promise<DueList> =>
      serverFirst<DueList>(
        async () => {
          const [page, media] = await Promise.all([
            call(listLoans, { list: dueQuery(kind, list, today), signal }),
            client.ensureQueryData(mediaQuery),
          ])
          const rows = membersOf(page).map((loan) => ({
            held: heldOfServer(loan, membersOf(media)),
            loan,
            category: loan.category ?? '',
            returning: null,
          }))
          return { rows, total: totalOf(page), isFromDevice: false }
        },
        () =>
          ofReadyDevice(async () => {
            const { loans, total } = await listDueOffline(kind, list, today)
            return {
              rows: loans.map((held) => ({ held, loan: null, category: '', returning: null })),
              total,
              isFromDevice: true,
            }
          }),
      ),
    placeholderData: keepPreviousData,
  })

/** A list under the outbox, whose rows stay the same objects unless a return waits. */
export function useDueList(kind: DueKind, list: ListQuery, today: string) {
  const isOnline = useConnection() === 'online'
  const query = useQuery(dueListQuery(kind, list, today, isOnline))
  const entries = useEntries()
  const fetched = query.data?.rows
  const rows = useMemo(() => {
    const { returns } = pendingOver(
      (fetched ?? []).flatMap(({ held }) => rowOfHeld(held)),
      entries,
    )
    return fetched?.map((row) => {
      const returning = row.held.loan_id === null ? undefined : returns.get(row.held.loan_id)
      return returning ? { ...row, returning } : row
    })
  }, [fetched, entries])
  return { ...query, rows }
}
