import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { resourceOf } from '../../contract/changed-resources.ts'
import type { Endpoint, QueryOf } from '../../contract/endpoint.ts'
import { readOutNow } from '../../contract/stats.ts'
import { call, type CallInput } from '../api/call.ts'

/** Figures, and when they are of where they are behind. */
export type Stated<Figures> = { figures: Figures; stateAt: string | null }

async function stated<Figures>(
  ask: (onState: (stateAt: string | null) => void) => Promise<Figures>,
): Promise<Stated<Figures>> {
  let stateAt: string | null = null
  const figures = await ask((at) => {
    stateAt = at
  })
  return { figures, stateAt }
}

/** Figures of a period, which are worth five minutes. */
export const statsQuery = <E extends Endpoint>(endpoint: E, query: QueryOf<E>) =>
  queryOptions({
    queryKey: [resourceOf(endpoint), endpoint.name, query],
    queryFn: ({ signal }) =>
      stated((onState) => call(endpoint, { query, signal, onState } as unknown as CallInput<E>)),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })

/** What is out now is never kept. */
export const outNowQuery = queryOptions({
  queryKey: [resourceOf(readOutNow), readOutNow.name],
  queryFn: ({ signal }) => stated((onState) => call(readOutNow, { query: {}, signal, onState })),
  staleTime: 0,
  gcTime: 0,
  refetchOnMount: 'always',
})
