import { queryOptions } from '@tanstack/react-query'

import { deviceId } from '../../offline/device-meta.ts'

export const ownDeviceQuery = queryOptions({
  queryKey: ['device', 'id'],
  queryFn: () => deviceId().catch(() => null),
  staleTime: Infinity,
})
