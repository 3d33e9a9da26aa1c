import * as v from 'valibot'

import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Si le serveur et sa base répondent',
  answer: v.object({ status: v.literal('ok') }),
})
