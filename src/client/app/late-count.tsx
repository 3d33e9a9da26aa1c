import { useQuery } from '@tanstack/react-query'

import { totalOf, type ListQuery } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { useConnection } from '../api/connection.ts'
import { listQuery } from '../api/queries.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Prêts »: how many are late, at this site. */
export default function LateCount() {
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({ ...listQuery(listLoans, lateLoans), enabled: isOnline })
  const count = totalOf(data) ?? 0
  return <PlaceCount count={count} tone="bad" words={counted(count, 'prêt en retard', 'prêts en retard')} />
}

const lateLoans: Partial<ListQuery> = {
  limit: 1,
  filters: [
    { field: 'status', operator: 'eq', value: 'in_progress' },
    { field: 'islate', operator: 'eq', value: true },
  ],
}
