import { useQuery } from '@tanstack/react-query'

import { totalOf } from '../../contract/list.ts'
import { useConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import { pickingCountQuery, pickingQuery } from '../reservations/shelf-data.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Réservations »: how many copies are asked for and stand on the shelves of this site. */
export default function PickingCount() {
  const isOnline = useConnection() === 'online'
  const mayPick = useRight('RESERVATION_EDIT')
  const own = useQuery({ ...pickingCountQuery, enabled: isOnline && mayPick })
  const onScreen = useQuery({ ...pickingQuery, enabled: false })
  const newest = onScreen.dataUpdatedAt > own.dataUpdatedAt ? onScreen.data : own.data
  const count = totalOf(newest) ?? 0
  return (
    <PlaceCount
      count={count}
      tone="wait"
      words={counted(count, 'exemplaire à mettre de côté', 'exemplaires à mettre de côté')}
    />
  )
}
