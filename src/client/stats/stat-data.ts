import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { resourceOf } from '../../contract/changed-resources.ts'
import type { Endpoint, QueryOf } from '../../contract/endpoint.ts'
import { readOutNow } from '../../contract/stats.ts'
import { call, type CallInput } from '../api/call.ts'

/** Figures of a period, which are worth five minutes (decision 69 of the specification). */
export const statsQuery = <E extends Endpoint>(endpoint: E, query: QueryOf<E>) =>
  queryOptions({
    queryKey: [resourceOf(endpoint), endpoint.name, query],
    queryFn: ({ signal }) => call(endpoint, { query, signal } as unknown as CallInput<E>),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })

/** What is out now is never kept. */
export const outNowQuery = queryOptions({
  queryKey: [resourceOf(readOutNow), readOutNow.name],
  queryFn: ({ signal }) => call(readOutNow, { query: {}, signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnMount: 'always',
})
