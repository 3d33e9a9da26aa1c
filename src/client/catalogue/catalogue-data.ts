import { queryOptions } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { media } from '../../contract/media.ts'
import { call } from '../api/call.ts'

/** Of lists that change once a month. */
export const settled = { staleTime: 10 * 60_000 }

export const mediaQuery = queryOptions({
  queryKey: ['media', 'all'],
  queryFn: ({ signal }) => call(media.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
  ...settled,
})
