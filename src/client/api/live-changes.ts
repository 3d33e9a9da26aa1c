import type { Query } from '@tanstack/react-query'

import { type Changed, watchChanges } from './change-stream.ts'
import { queryClient } from './query-client.ts'

/** After a change was told, so that a burst is one refresh; more or less, so that not every device asks at the same instant. */
const gatherMs = 400
const longestGatherMs = 10_000

/**
 * Fetches again what is shown when another device changed it. Keys of queries begin with the name of their resource. Whatever was asked
 * for after the change was told (this page's own actions do) is not asked for twice. `alsoRefresh` is called along with each refresh.
 * Returns how to stop.
 */
export function followChanges(alsoRefresh: () => void): () => void {
  const changed = new Set<string>()
  let isEverything = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = gatherMs
  let toldAt = 0
  /** Being fetched when the change was told: their answers may be older. */
  let underWay = new Set<string>()
  let isOver = false

  const isConcerned = ({ queryKey, queryHash, state }: Query) => {
    if (!isEverything && !changed.has(String(queryKey[0]))) return false
    if (underWay.has(queryHash)) return true
    return state.fetchStatus !== 'fetching' && state.dataUpdatedAt <= toldAt
  }
  const refresh = async () => {
    const began = performance.now()
    const fetched = queryClient.invalidateQueries({ predicate: isConcerned })
    changed.clear()
    isEverything = false
    alsoRefresh()
    await fetched
    // A server that takes its time is asked less often.
    pauseMs = Math.min(Math.max(gatherMs, 8 * (performance.now() - began)), longestGatherMs)
    timer = undefined
    if (!isOver && (isEverything || changed.size > 0)) plan()
  }
  const plan = () => {
    timer ??= setTimeout(() => void refresh(), pauseMs * (0.5 + Math.random()))
  }
  const stop = watchChanges((resources: Changed) => {
    resources?.forEach((resource) => changed.add(resource))
    isEverything ||= resources === null
    toldAt = Date.now()
    underWay = new Set(
      queryClient
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .map(({ queryHash }) => queryHash),
    )
    plan()
  })
  return () => {
    isOver = true
    stop()
    clearTimeout(timer)
  }
}
