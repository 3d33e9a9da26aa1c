import { queryOptions } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { sites } from '../../contract/sites.ts'
import { call } from '../api/call.ts'

/** The site that every environment begins with, or null where none is in service. */
export const firstSiteQuery = queryOptions({
  queryKey: ['sites', 'first'],
  queryFn: ({ signal }) =>
    call(sites.list, {
      list: {
        limit: 1,
        order: [{ field: 'id', direction: 'asc' }],
        filters: [{ field: 'enabled', operator: 'eq', value: true }],
      },
      signal,
    }),
  select: (page) => membersOf(page)[0] ?? null,
})
