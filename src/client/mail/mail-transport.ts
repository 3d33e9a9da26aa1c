import { queryOptions } from '@tanstack/react-query'

import { getMailTransport } from '../../contract/mail-transport.ts'
import { call } from '../api/call.ts'

export const mailTransportQuery = queryOptions({
  queryKey: ['mail', 'transport'],
  queryFn: ({ signal }) => call(getMailTransport, { signal }),
  staleTime: 60_000,
})
