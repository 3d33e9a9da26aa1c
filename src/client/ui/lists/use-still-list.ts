import { useState } from 'react'

import type { ListQuery } from '../../../contract/list.ts'
import { namesOf, type ListFilter } from './filters.tsx'
import type { ListAddress } from './use-list-address.ts'
import { useDebounced } from '../use-debounced.ts'

/** A list as it is asked for: what is chosen in its filters waits until nothing was chosen for `ms`, so that several choices are one call. */
export function useStillList(
  list: ListQuery,
  filters: readonly ListFilter[],
  values: ListAddress['values'],
  ms: number | undefined,
): ListQuery {
  // A text has waited in its field already.
  const chosen = filters.flatMap((filter) =>
    ms === undefined || filter.kind === 'search' ? [] : namesOf(filter).map((name) => values[name] ?? ''),
  )
  const now = JSON.stringify(chosen)
  const isStill = useDebounced(now, ms) === now
  const [asked, ask] = useState(list)
  if (ms === undefined) return list
  if (!isStill) return asked
  if (JSON.stringify(asked) !== JSON.stringify(list)) ask(list)
  return list
}
