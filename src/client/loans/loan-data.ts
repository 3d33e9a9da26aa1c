import { useQuery, useQueryClient } from '@tanstack/react-query'

import { resourceOf } from '../../contract/changed-resources.ts'
import { membersOf, type Collection } from '../../contract/list.ts'
import * as loans from '../../contract/loans.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import { call } from '../api/call.ts'
import { oneQuery, useEachChange } from '../api/queries.ts'

/** From the address of a loan that is not there. */
export const toLoans = { to: '/loanings', label: 'Voir les prêts' }

export const loanQuery = (id: number) => oneQuery(loans.getLoan, id)

/** A loan; as a list that was just read shows it, until it is read by itself. */
export function useLoan(id: number) {
  const client = useQueryClient()
  return useQuery({
    ...loanQuery(id),
    placeholderData: () =>
      client
        .getQueriesData<Collection<loans.Loan>>({
          queryKey: [resourceOf(loans.listLoans), loans.listLoans.name],
        })
        .flatMap(([, page]) => membersOf(page) ?? [])
        .find((loan) => loan.id === id),
  })
}

export type FailedLoan = { loan: loans.Loan; error: unknown }

/** `left` were not asked for, because the person stopped it. */
export type Changed<A> = { done: A[]; failed: FailedLoan[]; left: readonly loans.Loan[] }

export function changedOf<A>(
  of: readonly loans.Loan[],
  results: readonly PromiseSettledResult<A>[],
): Changed<A> {
  const changed: Changed<A> = { done: [], failed: [], left: of.slice(results.length) }
  for (const [at, loan] of of.entries()) {
    const result = results[at]
    if (result?.status === 'fulfilled') changed.done.push(result.value)
    else if (result) changed.failed.push({ loan, error: result.reason })
  }
  return changed
}

/** Deletes several loans. */
export function useDeleteLoans() {
  const { changeEach, ...underWay } = useEachChange(loans.deleteLoan)
  const deleteLoans = async (of: readonly loans.Loan[]) =>
    changedOf(of, await changeEach(of.map(({ id }) => ({ params: { id } }))))
  return { deleteLoans, ...underWay }
}

const onlyCounted = (again: boolean) =>
  ({ query: { dry_run: '1', ...(again ? { again: '1' as const } : {}) } }) as const

/** How many mails a mass mail would send, asked before it is confirmed; `again` to those who had one today as well. */
export const countReminders = (again: boolean) => call(sendReminders, onlyCounted(again))
export const countRecap = (again: boolean) => call(sendRecap, onlyCounted(again))
