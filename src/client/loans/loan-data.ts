import { useQuery, useQueryClient } from '@tanstack/react-query'

import { resourceOf } from '../../contract/changed-resources.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Collection } from '../../contract/list.ts'
import * as loans from '../../contract/loans.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import { call } from '../api/call.ts'
import { oneQuery, useEachChange } from '../api/queries.ts'

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
        .flatMap(([, page]) => page?.['hydra:member'] ?? [])
        .find((loan) => loan.id === id),
  })
}

export type FailedLoan = { loan: loans.Loan; error: unknown }

/** What was not done, of a change of each of these loans. */
const failedOf = (
  of: readonly loans.Loan[],
  results: readonly PromiseSettledResult<unknown>[],
): FailedLoan[] =>
  of.flatMap((loan, at) => {
    const result = results[at]
    return result?.status === 'rejected' ? [{ loan, error: result.reason as unknown }] : []
  })

export type Extension = BodyOf<typeof loans.extendLoan>

/** Extends several loans by as many of their own units; answers those that were not extended. */
export function useExtendLoans() {
  const { mutateAsync } = useEachChange(loans.extendLoan)
  return async (of: readonly loans.Loan[], body: Extension): Promise<FailedLoan[]> =>
    failedOf(of, await mutateAsync(of.map(({ id }) => ({ params: { id }, body }))))
}

/** Deletes several loans; answers those that were not deleted. */
export function useDeleteLoans() {
  const { mutateAsync } = useEachChange(loans.deleteLoan)
  return async (of: readonly loans.Loan[]): Promise<FailedLoan[]> =>
    failedOf(of, await mutateAsync(of.map(({ id }) => ({ params: { id } }))))
}

/** How many mails a mass mail would send, asked before it is confirmed. */
export const countReminders = () => call(sendReminders, { query: { dry_run: '1' } })
export const countRecap = () => call(sendRecap, { query: { dry_run: '1' } })
