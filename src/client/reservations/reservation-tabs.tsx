import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { totalOf } from '../../contract/list.ts'
import { useRight } from '../api/session.ts'
import type { FixedView, Neighbour, ViewsOfList } from '../ui/lists/use-list-views.ts'
import { NeighbourTabs } from '../ui/lists/view-tabs.tsx'
import { pickingQuery, setAsideCountQuery } from './shelf-data.ts'

export const toServe = { 'status|in': 'waiting,confirmed' }

/** The list as people look at it; the first is what it opens with. */
const fixed: readonly [FixedView, ...FixedView[]] = [
  {
    key: 'to-serve',
    name: 'À servir',
    filters: toServe,
    isCounted: true,
    empty: 'Aucune réservation n’est à servir.',
  },
  { key: 'confirmed', name: 'Confirmées', filters: { 'status|in': 'confirmed' }, isCounted: true },
  { key: 'closed', name: 'Annulées et refusées', filters: { 'status|in': 'canceled,refused' } },
  { key: 'served', name: 'Servies', filters: { 'served|eq': '1', ...toServe } },
]

/** What waits to be fetched by its reader, and what is to be fetched from the shelves. */
function useShelves(): readonly Neighbour[] {
  const mayPick = useRight('RESERVATION_EDIT')
  const kept = totalOf(useQuery(setAsideCountQuery).data) ?? 0
  const toPick = totalOf(useQuery({ ...pickingQuery, enabled: mayPick }).data) ?? 0
  return useMemo(
    () => [
      { key: 'set-aside', name: 'À retirer', to: '/reservations/set_aside', count: kept },
      ...(mayPick
        ? [{ key: 'picking', name: 'À chercher en rayon', to: '/reservations/picking', count: toPick }]
        : []),
    ],
    [kept, toPick, mayPick],
  )
}

export function useReservationViews(): ViewsOfList {
  const neighbours = useShelves()
  return useMemo(() => ({ list: 'reservations', fixed, neighbours }), [neighbours])
}

/** The same row on the screens of the two shelves. */
export function ReservationTabs({ value }: { value: 'set-aside' | 'picking' }) {
  const shelves = useShelves()
  const [first, ...others] = fixed.map(asNeighbour)
  return <NeighbourTabs tabs={first ? [first, ...shelves, ...others] : shelves} current={value} />
}

const asNeighbour = ({ key, name, filters }: FixedView): Neighbour => ({
  key,
  name,
  to: `/reservations${filters === toServe ? '' : `?${new URLSearchParams(filters)}`}`,
})
