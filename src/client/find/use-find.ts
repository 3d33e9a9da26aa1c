import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useConnection } from '../api/connection.ts'
import { useRights } from '../api/session.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Has } from './finders.ts'
import { bestOf, exactlyOf, findOnServer, hasMore, isFitting, stillFitting } from './find-anything.ts'
import type { Hit } from './hit.ts'
import { recentFinds } from './recent-finds.ts'

/** Shorter than for lists, because only this list waits. */
const pauseMs = 120
/** Recent hits come first but leave room for others. */
const mostRecent = 3

export type FindScreens = (typed: string) => Hit[]

/** Recent hits while nothing is typed. `error`: why the server told nothing. */
export function useFind(typed: string, findScreens: FindScreens) {
  const rights = useRights()
  const has: Has = (right) => rights.includes(right)
  const isOnline = useConnection() === 'online'
  const still = useDebounced(typed, pauseMs)
  const [recent] = useState(() => {
    const open = findScreens('')
    return recentFinds(has, (path) => open.some(({ to }) => to === path))
  })
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['find', still],
    queryFn: ({ signal }) => findOnServer(still, has, signal),
    enabled: isOnline && still !== '',
    placeholderData: keepPreviousData,
    // A title lent a moment ago must not be shown as before.
    staleTime: 0,
  })
  const isAnswered = still === typed && !isPlaceholderData && (data !== undefined || error !== null)
  const isSearching = isOnline && typed !== '' && !isAnswered
  const found = isOnline && data ? (isAnswered ? data : stillFitting(data, typed)) : []
  const isLocal = ({ kind }: Hit) => isOnline || kind === 'screen' || kind === 'setting'
  const reachable = recent.filter(isLocal)
  const lists =
    typed === ''
      ? []
      : [
          exactlyOf(found, typed),
          reachable.filter((hit) => isFitting(hit, typed)).slice(0, mostRecent),
          findScreens(typed),
          ...found,
        ]
  return {
    hits: typed === '' ? reachable : bestOf(lists),
    isCut: hasMore(lists, found),
    isOnline,
    isSearching,
    error: isAnswered && typed !== '' ? error : null,
    has,
    /** Asks again for what was not there a moment ago. */
    again: () => void refetch(),
  }
}
