import { useQuery } from '@tanstack/react-query'

import { listCopies } from '../../contract/catalogue.ts'
import { totalOf, type ListQuery } from '../../contract/list.ts'
import { useConnection } from '../api/connection.ts'
import { listQuery } from '../api/queries.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Transferts »: how many are on their way to this site. */
export default function ArrivalCount() {
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({ ...listQuery(listCopies, underWay), enabled: isOnline })
  const count = totalOf(data) ?? 0
  return (
    <PlaceCount
      count={count}
      tone="wait"
      words={counted(count, 'exemplaire à recevoir', 'exemplaires à recevoir')}
    />
  )
}

const underWay: Partial<ListQuery> = {
  limit: 1,
  filters: [{ field: 'status.name', operator: 'eq', value: 'En transfert' }],
}
