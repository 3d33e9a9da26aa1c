import { listCopies } from '../../contract/catalogue.ts'
import { listQuery } from '../api/queries.ts'

/** How many copies are on their way to the chosen site. */
export const arrivalCountQuery = listQuery(listCopies, {
  limit: 1,
  filters: [{ field: 'status.name', operator: 'eq', value: 'En transfert' }],
})
