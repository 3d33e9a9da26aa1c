import { useQuery } from '@tanstack/react-query'

import { totalOf } from '../../contract/list.ts'
import { useConnection } from '../api/connection.ts'
import { lateCountQuery } from '../loans/late-count-query.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Prêts »: how many are late, at this site. */
export default function LateCount() {
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({ ...lateCountQuery, enabled: isOnline })
  const count = totalOf(data) ?? 0
  return <PlaceCount count={count} tone="bad" words={counted(count, 'prêt en retard', 'prêts en retard')} />
}
