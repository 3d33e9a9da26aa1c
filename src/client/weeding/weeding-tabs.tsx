import { useQuery } from '@tanstack/react-query'

import { totalOf } from '../../contract/list.ts'
import { listCart } from '../../contract/weeding.ts'
import { listQuery } from '../api/queries.ts'
import { NeighbourTabs } from '../ui/lists/view-tabs.tsx'
import { addressOfCart, addressOfPast } from './weeding-words.ts'

/** What is examined, what is chosen, and what has left. */
export function WeedingTabs({ current }: { current: 'list' | 'cart' | 'past' }) {
  const { data } = useQuery(listQuery(listCart, { limit: 1 }))
  const tabs = [
    { key: 'list', name: 'À examiner', to: '/weeding' },
    { key: 'cart', name: 'Panier', to: addressOfCart, count: totalOf(data) ?? 0 },
    { key: 'past', name: 'Désherbages faits', to: addressOfPast },
  ]
  return <NeighbourTabs tabs={tabs} current={current} />
}
