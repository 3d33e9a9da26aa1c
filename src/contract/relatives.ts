import * as v from 'valibot'

import { item, noneOr, someText } from './wire.ts'

export const readerId = v.nullable(noneOr(someText(64)))

/** `text` repeats the name, as the specification calls it. */
export const relative = item('Relative', {
  name: v.string(),
  text: v.string(),
  reader_id: v.nullable(v.string()),
})
export type Relative = v.InferOutput<typeof relative>
