import { queryOptions } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { sites } from '../../contract/sites.ts'
import { call } from '../api/call.ts'

export const enabledSitesQuery = queryOptions({
  queryKey: ['sites', 'enabled'],
  queryFn: ({ signal }) =>
    call(sites.list, {
      list: { limit: 500, filters: [{ field: 'enabled', operator: 'eq', value: true }] },
      signal,
    }),
  select: (page) => membersOf(page),
  staleTime: 10 * 60_000,
})
