import * as v from 'valibot'

import { endpoint } from './endpoint.ts'

/**
 * Resources of which something changed, by the names of their collections: `loanings`, `copies`… No row is told, so that nobody learns
 * here what they may not read. Null: everything may have changed, because the server cannot know since when the listener is behind.
 */
export const changeEvent = v.object({ resources: v.nullable(v.array(v.string())) })
export type ChangeEvent = v.InferOutput<typeof changeEvent>

/** Each event's id is a cursor: sent back as `Last-Event-ID` after a break, the first event tells what changed meanwhile. */
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
