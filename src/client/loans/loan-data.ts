import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'

import type { BodyOf } from '../../contract/endpoint.ts'
import type { ListQuery } from '../../contract/list.ts'
import * as loans from '../../contract/loans.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { useGestureKeys } from '../api/gesture-keys.ts'
import { loanKeys, refreshLoans } from './loan-keys.ts'

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

/**
 * A change of loans on the server; every list of loans and every count of them is fetched again. `gestureOf` tells one gesture from
 * another: asked for again without an answer to the first, the same one acts once.
 */
function useLoanChange<V, T>(
  send: (variables: V, key: string) => Promise<T>,
  gestureOf: (variables: V) => string = JSON.stringify,
) {
  const once = useGestureKeys()
  return useMutation({
    mutationFn: (variables: V) => once(gestureOf(variables), (key) => send(variables, key)),
    onSettled: refreshLoans,
  })
}

type OnLoan<B> = { id: number; body: B }

export const useUpdateLoan = () =>
  useLoanChange(({ id, body }: OnLoan<BodyOf<typeof loans.updateLoan>>, key) =>
    call(loans.updateLoan, { params: { id }, body, key }),
  )

/** Whatever the duration: units are added, so that another one after a lost answer would come on top of the first. */
export const useExtendLoan = () =>
  useLoanChange(
    ({ id, body }: OnLoan<BodyOf<typeof loans.extendLoan>>, key) =>
      call(loans.extendLoan, { params: { id }, body, key }),
    ({ id }) => String(id),
  )

export const useExplainDelay = () =>
  useLoanChange(({ id, body }: OnLoan<BodyOf<typeof loans.explainDelay>>, key) =>
    call(loans.explainDelay, { params: { id }, body, key }),
  )

export const useCancelLoan = () =>
  useLoanChange(({ id }: { id: number }, key) => call(loans.cancelLoan, { params: { id }, body: {}, key }))

export const useDeleteLoan = () =>
  useLoanChange(({ id }: { id: number }, key) => call(loans.deleteLoan, { params: { id }, key }))

/** How many mails a mass mail would send, asked before it is confirmed. */
export const countReminders = () => call(sendReminders, { query: { dry_run: '1' } })
export const countRecap = () => call(sendRecap, { query: { dry_run: '1' } })

// The day tells a mail asked for again from the one of another day, on a screen that stays open.
export function useSendReminders() {
  const once = useGestureKeys()
  return useMutation({
    mutationFn: (day: CalendarDay) => once(day, (key) => call(sendReminders, { query: {}, key })),
  })
}

export function useSendRecap() {
  const once = useGestureKeys()
  return useMutation({
    mutationFn: (day: CalendarDay) => once(day, (key) => call(sendRecap, { query: {}, key })),
  })
}
