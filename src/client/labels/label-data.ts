import { queryOptions } from '@tanstack/react-query'

import { labelPrinters, labelSheets } from '../../contract/labels.ts'
import { call } from '../api/call.ts'

export const ownSheetsQuery = queryOptions({
  queryKey: ['label_sheets', 'all'],
  queryFn: ({ signal }) => call(labelSheets.list, { list: { limit: 500 }, signal }),
  select: (page) => page['hydra:member'],
})

export const printersQuery = queryOptions({
  queryKey: ['label_printers', 'all'],
  queryFn: ({ signal }) => call(labelPrinters.list, { list: { limit: 500 }, signal }),
  select: (page) => page['hydra:member'],
})
