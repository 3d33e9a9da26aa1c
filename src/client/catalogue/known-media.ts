import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { membersOf } from '../../contract/list.ts'
import type { Medium } from '../../contract/media.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { CallError } from '../api/call-error.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from './catalogue-data.ts'

/** From the server, or as the device or this page last knew them; a failure where none of them does. */
export const knownMediaQuery = queryOptions({
  queryKey: ['media', 'known'],
  queryFn: ({ client }): Promise<readonly Medium[]> =>
    serverFirst(
      async () => membersOf(await client.ensureQueryData(mediaQuery)),
      async () => {
        const kept = await readLibrary(async (library) => library?.settings?.media)
        const told = kept ?? membersOf(client.getQueryData(mediaQuery.queryKey))
        // Remembered as none, they would take every penalty away.
        if (!told) throw new CallError(0, null)
        return told
      },
    ),
  staleTime: 5 * 60_000,
})

/** Null until known. The same function as long as the data is the same. */
export function useMediumName(): (id: number | null) => string | null {
  const { data } = useQuery(knownMediaQuery)
  return useCallback((id) => data?.find((medium) => medium.id === id)?.name ?? null, [data])
}
