import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { getDns } from '../../contract/session.ts'
import { call } from '../api/call.ts'
import { currentConnection, watchConnection } from '../api/connection.ts'

export const environmentQuery = queryOptions({
  queryKey: ['dns'],
  queryFn: ({ signal }) => call(getDns, { signal }),
  staleTime: 60 * 60_000,
})

/** Asked again when the network comes back. */
export function useEnvironment() {
  const client = useQueryClient()
  useEffect(
    () =>
      watchConnection(() => {
        const isUnknown = client.getQueryData(environmentQuery.queryKey) === undefined
        if (currentConnection() === 'online' && isUnknown) void client.refetchQueries(environmentQuery)
      }),
    [client],
  )
  return useQuery(environmentQuery)
}
