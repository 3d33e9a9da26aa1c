import { queryOptions } from '@tanstack/react-query'

import { categories } from '../../contract/categories.ts'
import { membersOf } from '../../contract/list.ts'
import { reasons } from '../../contract/reasons.ts'
import { call } from '../api/call.ts'
import { settled } from './catalogue-data.ts'

// Apart from what the counter loads first.

export const categoriesQuery = queryOptions({
  queryKey: ['categories', 'all'],
  queryFn: ({ signal }) => call(categories.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
  ...settled,
})

export const reasonsQuery = (type: 'delay' | 'free') =>
  queryOptions({
    queryKey: ['reasons', type],
    queryFn: ({ signal }) =>
      call(reasons.list, {
        list: {
          limit: 500,
          filters: [
            { field: 'type', operator: 'eq', value: type },
            { field: 'enabled', operator: 'eq', value: true },
          ],
        },
        signal,
      }),
    select: (page) => membersOf(page),
    ...settled,
  })
