import { queryOptions, useQuery } from '@tanstack/react-query'

import { type FilteredList, listOwnFilters } from '../../contract/filters.ts'
import { call } from '../api/call.ts'
import { isSet } from './filter-chips.tsx'
import type { ListFilter } from './filters.tsx'

/** What the keys of every list's chosen filters begin with. */
export const ownFiltersKey = ['filters']

const ownFiltersQuery = (list: FilteredList) =>
  queryOptions({
    queryKey: [...ownFiltersKey, list],
    queryFn: ({ signal }) => call(listOwnFilters, { query: { list }, signal }),
    staleTime: Infinity,
  })

/**
 * The filters of a list that the person chose to see, in their order; all of them where nothing was chosen or that cannot be known. One
 * that is set stays in sight: nothing is left out of a list by what nobody sees.
 */
export function useOwnFilters(
  list: FilteredList | undefined,
  filters: readonly ListFilter[],
  values: Readonly<Record<string, string>>,
): readonly ListFilter[] {
  const { data } = useQuery({ ...ownFiltersQuery(list ?? 'loanings'), enabled: list !== undefined })
  if (!list || !data) return filters
  const chosen = data['hydra:member'].flatMap(
    ({ code }) => filters.find((filter) => filter.code === code) ?? [],
  )
  return [...chosen, ...filters.filter((filter) => !chosen.includes(filter) && isSet(filter, values))]
}
