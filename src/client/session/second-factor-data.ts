import { queryOptions } from '@tanstack/react-query'

import { getSecondFactor } from '../../contract/second-factor.ts'
import { call } from '../api/call.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['second_factor', 'own'],
  queryFn: ({ signal }) => call(getSecondFactor, { signal }),
})
