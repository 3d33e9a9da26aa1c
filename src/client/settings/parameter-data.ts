import { queryOptions, useQuery } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { parameters } from '../../contract/settings.ts'
import type { FlagCode, NumberCode, ParameterCode, TextCode } from '../../domain/parameters.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'

export const parametersQuery = queryOptions({
  queryKey: ['parameters'],
  queryFn: async ({ signal }) => {
    const answer = await call(parameters.list, { list: { limit: 100 }, signal })
    rememberFrame(membersOf(answer))
    return answer
  },
  select: (page) => new Map<string, string>(membersOf(page).map(({ code, value }) => [code, value])),
  staleTime: 5 * 60_000,
})

export const deviceParametersQuery = queryOptions({
  queryKey: ['device', 'parameters'],
  queryFn: () => readLibrary(async (library) => library?.settings?.parameters ?? {}),
  staleTime: 60_000,
})

/** From the server or, off line, the device; until they answer, the frame's last value, or undefined. */
function useWritten(code: ParameterCode): string | undefined {
  const session = useSession()
  const kept = useQuery(deviceParametersQuery).data
  return (
    useQuery({ ...parametersQuery, enabled: session !== null }).data?.get(code) ??
    kept?.[code] ??
    frameOfLast(code)
  )
}

/** Whether the server has been asked, and has answered or failed. */
export const useAreParametersAsked = (): boolean => useQuery({ ...parametersQuery, enabled: false }).isFetched

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

/** What the frame around every screen says of the library. */
const ofFrame: readonly ParameterCode[] = ['work_council', 'multisite']
const keptIn = (code: ParameterCode): string => `parameter.${code}`

/** Kept beside the session, so that an opened page has its bar at once and nothing in it moves. */
function rememberFrame(written: readonly { code: string; value: string }[]): void {
  for (const { code, value } of written) {
    if (!ofFrame.some((one) => one === code)) continue
    try {
      localStorage.setItem(keptIn(code as ParameterCode), value)
    } catch {
      // Storage is full or forbidden: the next page waits for its answer.
    }
  }
}

const frameOfLast = (code: ParameterCode): string | undefined =>
  ofFrame.includes(code) ? (localStorage.getItem(keptIn(code)) ?? undefined) : undefined
