import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import type { BodyOf } from '../../contract/endpoint.ts'
import type { ListQuery } from '../../contract/list.ts'
import * as loans from '../../contract/loans.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import { call } from '../api/call.ts'

/** Keys of loan data: a change of any loan makes every list of loans, and what counts them, be fetched again. */
export const loanKeys = { all: ['loanings'] as const }

export const loanListQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: [...loanKeys.all, 'list', list],
    queryFn: ({ signal }) => call(loans.listLoans, { list, signal }),
    placeholderData: keepPreviousData,
  })

export const loanQuery = (id: number) =>
  queryOptions({
    queryKey: [...loanKeys.all, 'one', id],
    queryFn: ({ signal }) => call(loans.getLoan, { params: { id }, signal }),
  })

/** A change of loans on the server; every list of loans and every count of them is fetched again. */
function useLoanChange<V, T>(mutationFn: (variables: V) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: loanKeys.all }),
        client.invalidateQueries({ queryKey: ['beneficiaries'] }),
        client.invalidateQueries({ queryKey: ['copies'] }),
      ]),
  })
}

type OnLoan<B> = { id: number; body: B }

export const useUpdateLoan = () =>
  useLoanChange(({ id, body }: OnLoan<BodyOf<typeof loans.updateLoan>>) =>
    call(loans.updateLoan, { params: { id }, body }),
  )

export const useExtendLoan = () =>
  useLoanChange(({ id, body }: OnLoan<BodyOf<typeof loans.extendLoan>>) =>
    call(loans.extendLoan, { params: { id }, body }),
  )

export const useExplainDelay = () =>
  useLoanChange(({ id, body }: OnLoan<BodyOf<typeof loans.explainDelay>>) =>
    call(loans.explainDelay, { params: { id }, body }),
  )

export const useCancelLoan = () =>
  useLoanChange(({ id }: { id: number }) => call(loans.cancelLoan, { params: { id }, body: {} }))

export const useDeleteLoan = () =>
  useLoanChange(({ id }: { id: number }) => call(loans.deleteLoan, { params: { id } }))

export const useUndoLoan = () =>
  useLoanChange(({ id }: { id: number }) => call(loans.undoLoan, { params: { id }, body: {} }))

/** How many mails a mass mail would send, asked before it is confirmed. */
export const countReminders = () => call(sendReminders, { query: { dry_run: '1' } })
export const countRecap = () => call(sendRecap, { query: { dry_run: '1' } })

export const useSendReminders = () => useMutation({ mutationFn: () => call(sendReminders, { query: {} }) })
export const useSendRecap = () => useMutation({ mutationFn: () => call(sendRecap, { query: {} }) })
