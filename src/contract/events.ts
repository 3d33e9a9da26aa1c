import * as v from 'valibot'

import { endpoint } from './endpoint.ts'

/** Collections that changed, without rows that the person may not read; null: any may have changed. */
export const changeEvent = v.object({ resources: v.nullable(v.array(v.string())) })
export type ChangeEvent = v.InferOutput<typeof changeEvent>

/** An event's id is a cursor: sent back as `Last-Event-ID`, it gets what changed meanwhile. */
export const streamEvents = endpoint({
  name: 'events.stream',
  method: 'GET',
  path: '/api/events',
  access: 'signed-in',
  summary:
    'Ce qui change sur les autres postes, au fil de l’eau («\u00a0Last-Event-ID\u00a0» reprend après une coupure)',
  isStream: true,
  answer: changeEvent,
})
