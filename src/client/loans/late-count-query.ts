import { listLoans } from '../../contract/loans.ts'
import { listQuery } from '../api/queries.ts'

/** How many loans are late, at the chosen site. */
export const lateCountQuery = listQuery(listLoans, {
  limit: 1,
  filters: [
    { field: 'status', operator: 'eq', value: 'in_progress' },
    { field: 'islate', operator: 'eq', value: true },
  ],
})
