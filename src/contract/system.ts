import * as v from 'valibot'

import { endpoint } from './endpoint.ts'

/** Of any call at a host where the server has no library. */
export const hostUnknownStatus = 421

export const getHealth = endpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Si le serveur et sa base répondent',
  answer: v.object({
    status: v.literal('ok'),
    /** The server is well, and serves no library at the host that was asked. */
    library: v.optional(v.literal(false)),
  }),
})
