import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import type { Filter, ListQuery } from '../../contract/list.ts'
import { type Reservation, reservations } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'

const stillOpen: Filter = { field: 'status', operator: 'in', value: ['waiting', 'confirmed'] }

/** Those of a reader or of a title that wait or are confirmed, at every site. */
export const openReservationsQuery = (
  of: 'beneficiary_id' | 'reference_id',
  id: number,
  list: Partial<Pick<ListQuery, 'page' | 'limit' | 'order'>>,
) =>
  queryOptions({
    queryKey: ['reservations', 'open', of, id, list],
    queryFn: ({ signal }) =>
      call(reservations.list, {
        list: { ...list, filters: [{ field: of, operator: 'eq', value: id }, stillOpen] },
        signal,
        site: 0,
      }),
    placeholderData: keepPreviousData,
  })

/** As many of a title as one page tells. */
export const queueQuery = (reference: number) =>
  openReservationsQuery('reference_id', reference, {
    limit: 100,
    order: [{ field: 'reservation_date', direction: 'asc' }],
  })

/** In the order in which they are thought of: what is promised, the queue, then the days by their beginning. */
export const inOrderOfService = (all: readonly Reservation[]): Reservation[] =>
  all.toSorted((a, b) => turnOf(a).localeCompare(turnOf(b)))

const turnOf = ({ start_date, queuePosition }: Reservation): string =>
  start_date !== null
    ? `2 ${start_date}`
    : queuePosition === null
      ? '0'
      : `1 ${String(queuePosition).padStart(6, '0')}`

/** « du 12/03/2026 au 15/03/2026 ». */
export const reservedDays = ({
  start_date,
  end_date,
}: Pick<Reservation, 'start_date' | 'end_date'>): string =>
  start_date === null || end_date === null ? '' : `du ${frenchDay(start_date)} au ${frenchDay(end_date)}`

/** On a shelf, of another site than the one where it is fetched: it waits to be sent there. */
export const isElsewhere = ({ set_aside_status, set_aside_site, site }: Reservation): boolean =>
  set_aside_status === 'Disponible' && site !== null && set_aside_site !== site

/** Set aside, and to be had where it is fetched. */
export const isOnShelf = (one: Reservation): boolean =>
  one.set_aside_status === 'Disponible' && !isElsewhere(one)
