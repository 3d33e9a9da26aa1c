import { queryOptions, useQuery } from '@tanstack/react-query'

import { listParameters } from '../../contract/settings.ts'
import { call } from '../api/call.ts'
import { useSession } from '../session/session.ts'

export const parametersQuery = queryOptions({
  queryKey: ['parameters'],
  queryFn: ({ signal }) => call(listParameters, { list: { limit: 100 }, signal }),
  select: ({ 'hydra:member': members }) => new Map(members.map(({ code, value }) => [code, value])),
  staleTime: 5 * 60_000,
})

/** A parameter's value; undefined until known, and off line before it was ever read. */
export function useParameter(code: string): string | undefined {
  const session = useSession()
  return useQuery({ ...parametersQuery, enabled: session !== null }).data?.get(code)
}
