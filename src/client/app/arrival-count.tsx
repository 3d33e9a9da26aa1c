import { useQuery } from '@tanstack/react-query'

import { totalOf } from '../../contract/list.ts'
import { useConnection } from '../api/connection.ts'
import { arrivalCountQuery } from '../transfers/arrival-count-query.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Transferts »: how many are on their way to this site. */
export default function ArrivalCount() {
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({ ...arrivalCountQuery, enabled: isOnline })
  const count = totalOf(data) ?? 0
  return (
    <PlaceCount
      count={count}
      tone="wait"
      words={counted(count, 'exemplaire à recevoir', 'exemplaires à recevoir')}
    />
  )
}
