import { queryOptions } from '@tanstack/react-query'

import type { ListQuery } from '../../contract/list.ts'
import { listPicking, type Picked, reservations } from '../../contract/reservations.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/queries.ts'

/** What is asked for and stands on the shelves of the chosen site. */
export const pickingQuery = queryOptions({
  queryKey: ['reservations', listPicking.name],
  queryFn: ({ signal }) => call(listPicking, { query: {}, signal }),
})

const minute = 60_000

/** For a count, which may be a minute old: every loan changes it, and the server goes through all reservations to answer. */
export const pickingCountQuery = queryOptions({
  ...pickingQuery,
  queryKey: ['picking_count'],
  staleTime: minute,
  refetchInterval: minute,
})

/** Since yesterday: it may stand on the trolley still, where nobody looks for it on its shelf. */
export const isJustBack = <P extends Pick<Picked, 'returned_on'>>(
  row: P,
  today: CalendarDay,
): row is P & { returned_on: CalendarDay } =>
  row.returned_on !== null && row.returned_on >= plusDays(today, -1)

const setAside: Partial<ListQuery> = {
  limit: 1,
  filters: [{ field: 'set_aside', operator: 'eq', value: true }],
}

export const setAsideCountQuery = listQuery(reservations.list, setAside)
