import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import * as devices from '../../contract/devices.ts'
import type { ListQuery } from '../../contract/list.ts'
import { deviceId } from '../../offline/device-meta.ts'
import { call } from '../api/call.ts'

export const deviceKeys = { all: ['devices'], lists: ['devices', 'list'] } as const

/** Devices report once a minute at most: the list is read again as often while it is seen. */
const refreshMs = 60_000

export const deviceListQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: [...deviceKeys.lists, list],
    queryFn: ({ signal }) => call(devices.listDevices, { list, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

/** The device that this page runs on. */
export const ownDeviceQuery = queryOptions({
  queryKey: [...deviceKeys.all, 'own'],
  queryFn: deviceId,
  staleTime: Infinity,
})

export function useRenameDevice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ device_id, name }: { device_id: string; name: string }) =>
      call(devices.renameDevice, { params: { device_id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: deviceKeys.lists }),
  })
}
