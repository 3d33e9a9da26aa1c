import { queryOptions, useQuery } from '@tanstack/react-query'

import { parameters } from '../../contract/settings.ts'
import type { FlagCode, NumberCode, ParameterCode, TextCode } from '../../domain/parameters.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'

export const parametersQuery = queryOptions({
  queryKey: ['parameters'],
  queryFn: ({ signal }) => call(parameters.list, { list: { limit: 100 }, signal }),
  select: ({ 'hydra:member': members }) =>
    new Map<string, string>(members.map(({ code, value }) => [code, value])),
  staleTime: 5 * 60_000,
})

const deviceParametersQuery = queryOptions({
  queryKey: ['device', 'parameters'],
  queryFn: () => readLibrary(async (library) => library?.settings?.parameters ?? {}),
  staleTime: 60_000,
})

/** From the server or, off line, the device; undefined until known. */
function useWritten(code: ParameterCode): string | undefined {
  const session = useSession()
  const kept = useQuery(deviceParametersQuery).data
  return useQuery({ ...parametersQuery, enabled: session !== null }).data?.get(code) ?? kept?.[code]
}

export const useTextParameter = (code: TextCode): string | undefined => useWritten(code)

export function useFlagParameter(code: FlagCode): boolean | undefined {
  const written = useWritten(code)
  return written === undefined ? undefined : written === '1'
}

/** In the unit of domain/parameters.ts. */
export function useNumberParameter(code: NumberCode): number | undefined {
  const written = useWritten(code)
  return written === undefined ? undefined : Number(written)
}
