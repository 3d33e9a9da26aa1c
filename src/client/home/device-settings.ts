import { queryOptions, useQuery } from '@tanstack/react-query'

import type { Medium } from '../../contract/catalogue.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { useParameter } from '../settings/parameter-data.ts'

const deviceSettings = () => readLibrary(async (library) => library?.settings ?? null)

const deviceParametersQuery = queryOptions({
  queryKey: ['device', 'parameters'],
  queryFn: async () => (await deviceSettings())?.parameters ?? {},
  staleTime: 60_000,
})

/** A parameter, by the server or, off line, as the device last knew it. */
export function useKnownParameter(code: string): string | undefined {
  const kept = useQuery(deviceParametersQuery).data
  return useParameter(code) ?? kept?.[code]
}

/** Media and their rules, by the server or as the device last knew them. */
export const knownMediaQuery = queryOptions({
  queryKey: ['media', 'known'],
  queryFn: ({ client }): Promise<readonly Medium[]> =>
    serverFirst(
      async () => (await client.ensureQueryData(mediaQuery))['hydra:member'],
      async () => (await deviceSettings())?.media ?? [],
    ),
  staleTime: 5 * 60_000,
})
