import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { getMe } from '../../contract/session.ts'
import { call } from '../api/call.ts'
import { rememberUser, useSession } from '../api/session.ts'

export const meQuery = (token: string) =>
  queryOptions({
    queryKey: ['me', token.slice(-8)],
    // Of no site in particular: the chosen one may be closed or out of service, which this answer tells.
    queryFn: ({ signal }) => call(getMe, { signal, site: 0 }),
    staleTime: 60_000,
  })

/** Asked at each start, so that lost rights are noticed; off line the stored person serves. */
export function useCurrentUser() {
  const session = useSession()
  const query = useQuery({ ...meQuery(session?.token ?? ''), enabled: session !== null })
  useEffect(() => {
    if (query.data) rememberUser(query.data)
  }, [query.data])
  return session?.user ?? query.data ?? null
}
