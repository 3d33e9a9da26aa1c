import type { QueryClient } from '@tanstack/react-query'

import { changedWith } from '../../contract/changed-resources.ts'
import { queryClient } from './query-client.ts'

export const refreshChanged = (resource: string, client: QueryClient = queryClient): Promise<unknown> =>
  Promise.all(changedWith(resource).map((changed) => client.invalidateQueries({ queryKey: [changed] })))
