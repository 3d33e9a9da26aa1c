import { queryOptions } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { listProfiles } from '../../contract/profiles.ts'
import { call } from '../api/call.ts'

export const profilesQuery = queryOptions({
  queryKey: ['profiles', 'all'],
  queryFn: ({ signal }) => call(listProfiles, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
})
