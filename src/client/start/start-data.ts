import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { getStart, markStep, type StartState } from '../../contract/start.ts'
import { type StartStep, startSteps, type StartTask, startTasks } from '../../domain/start-steps.ts'
import { call } from '../api/call.ts'
import { knownSoon } from '../api/known-soon.ts'
import { useChange } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { refreshChanged } from '../api/refresh-changed.ts'

export const startQuery = queryOptions({
  queryKey: ['start'],
  queryFn: ({ signal }) => call(getStart, { signal }),
  // What is done is done on other screens.
  staleTime: 0,
})

export const startKnown = (): Promise<unknown> => knownSoon(queryClient.prefetchQuery(startQuery))

export const leftIn = ({ tasks }: StartState): StartTask[] => startTasks.filter((task) => !tasks[task])

/** Where the guided start was left. */
export const stepOf = ({ steps }: StartState): StartStep | 'doors' =>
  startSteps.find((step) => steps[step] === 'left') ?? 'doors'

/** A preset and the sample write of everything. */
const written = [
  'media',
  'categories',
  'reasons',
  'eligibility',
  'profiles',
  'parameters',
  'beneficiaries',
  'loanings',
]

export function useRefreshAll(): () => void {
  const client = useQueryClient()
  return useCallback(() => void written.map((resource) => refreshChanged(resource, client)), [client])
}

/** Says a step done or put off; the answer is known at once, so that the next one comes without waiting. */
export function useMarkStep(): (step: StartStep, state: 'done' | 'later') => Promise<void> {
  const client = useQueryClient()
  const { mutateAsync } = useChange(markStep)
  return useCallback(
    async (step, state) => {
      const answer = await mutateAsync({ body: { step, state } })
      client.setQueryData(startQuery.queryKey, answer)
    },
    [client, mutateAsync],
  )
}

/** How a step that is saved or put off goes on; others leave what was written in it. */
export const stepIsOver = { isStepOver: true } as const

type HistoryPlace = { pathname: string; search: string; state: unknown }

/** « Précédent » and « Suivant » of the browser come to entries that « Continuer » made, and save nothing. */
export const isStepLeft = (from: HistoryPlace, to: HistoryPlace, by: string): boolean =>
  (from.pathname !== to.pathname || from.search !== to.search) &&
  (by === 'POP' || (to.state as Partial<typeof stepIsOver> | null)?.isStepOver !== true)
