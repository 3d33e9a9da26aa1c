import type { Query } from '@tanstack/react-query'

import { type Changed, watchChanges } from './change-stream.ts'
import { queryClient } from './query-client.ts'

/** A burst of changes is one refresh, at a random moment so that devices do not all ask at once. */
const gatherMs = 400
const longestGatherMs = 10_000

/** Fetches again what another device changed, unless it was fetched since; `alsoRefresh` runs along. */
export function followChanges(alsoRefresh: () => void): () => void {
  const changed = new Set<string>()
  let isEverything = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = gatherMs
  let toldAt = 0
  /** Their answers may be older than the change. */
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
    // A slow server is asked less often.
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
