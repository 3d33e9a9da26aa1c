import { queryOptions, useQuery } from '@tanstack/react-query'

import { type FilteredList, listOwnFilters } from '../../../contract/filters.ts'
import { membersOf } from '../../../contract/list.ts'
import { call } from '../../api/call.ts'
import { isSet } from './filter-chips.tsx'
import type { ListFilter } from './filters.tsx'

export const ownFiltersKey = ['filters']

const ownFiltersQuery = (list: FilteredList) =>
  queryOptions({
    queryKey: [...ownFiltersKey, list],
    queryFn: ({ signal }) => call(listOwnFilters, { query: { list }, signal }),
    staleTime: Infinity,
  })

/** The filters that a person chose, or all; one that is set stays in sight, for it must not mislead. */
export function useOwnFilters(
  list: FilteredList | undefined,
  filters: readonly ListFilter[],
  values: Readonly<Record<string, string>>,
): readonly ListFilter[] {
  const { data } = useQuery({ ...ownFiltersQuery(list ?? 'loanings'), enabled: list !== undefined })
  if (!list) return filters
  const chosen = data
    ? membersOf(data).flatMap(({ code }) => filters.find((filter) => filter.code === code) ?? [])
    : filters.filter(({ isOptional }) => !isOptional)
  return [...chosen, ...filters.filter((filter) => !chosen.includes(filter) && isSet(filter, values))]
}
