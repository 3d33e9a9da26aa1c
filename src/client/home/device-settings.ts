import { queryOptions } from '@tanstack/react-query'

import type { Medium } from '../../contract/catalogue.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'

/** Media and their rules, by the server or as the device last knew them. */
export const knownMediaQuery = queryOptions({
  queryKey: ['media', 'known'],
  queryFn: ({ client }): Promise<readonly Medium[]> =>
    serverFirst(
      async () => (await client.ensureQueryData(mediaQuery))['hydra:member'],
      () => readLibrary(async (library) => library?.settings?.media ?? []),
    ),
  staleTime: 5 * 60_000,
})
