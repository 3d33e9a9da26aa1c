import { queryOptions } from '@tanstack/react-query'

import { deviceId } from '../../offline/device-meta.ts'

/** The device that this page runs on. */
export const ownDeviceQuery = queryOptions({
  queryKey: ['device', 'id'],
  queryFn: deviceId,
  staleTime: Infinity,
})
