import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { getInventoryProgress, inventories, listFindings } from '../../contract/inventories.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import type { ListQuery } from '../../contract/list.ts'
import { call } from '../api/call.ts'

/** Whatever is read of inventories is read again when one changes, on this device or another. */
export const root = resourceOf(inventories.list)

export const toInventories = { to: '/inventories', label: 'Les inventaires' }

export const progressQuery = (id: number) =>
  queryOptions({
    queryKey: [root, getInventoryProgress.name, id],
    queryFn: ({ signal }) => call(getInventoryProgress, { params: { id }, signal }),
  })

export const findingsQuery = (id: number, list: Partial<ListQuery>) =>
  queryOptions({
    queryKey: [root, listFindings.name, id, list],
    queryFn: ({ signal }) => call(listFindings, { params: { id }, list, signal }),
    placeholderData: keepPreviousData,
  })
