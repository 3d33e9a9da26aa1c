import { queryOptions, useQuery } from '@tanstack/react-query'

import { readLibrary } from '../../offline/known-library.ts'
import { useParameter } from './parameter-data.ts'

const deviceParametersQuery = queryOptions({
  queryKey: ['device', 'parameters'],
  queryFn: () => readLibrary(async (library) => library?.settings?.parameters ?? {}),
  staleTime: 60_000,
})

/** A parameter, by the server or, off line, as the device last knew it. */
export function useKnownParameter(code: string): string | undefined {
  const kept = useQuery(deviceParametersQuery).data
  return useParameter(code) ?? kept?.[code]
}
