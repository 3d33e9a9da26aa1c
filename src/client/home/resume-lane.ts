import * as v from 'valibot'

import type { LaneLine } from './lane.ts'
import { happen, laneOwner, shape } from './lane-store.ts'

const kept = v.object({
  shape: v.literal(shape),
  owner: v.string(),
  lines: v.array(
    v.looseObject({
      key: v.string(),
      code: v.string(),
      at: v.number(),
      // A line with a message is drawn with its options: without them the screen would fail.
      step: v.pipe(
        v.looseObject({ name: v.string() }),
        v.check((step) => !('message' in step) || Array.isArray(step['options'])),
      ),
    }),
  ),
})

/** Shows what a reload interrupted to its owner, unless another version wrote it. */
export function resumeLane(text: string): void {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), kept), text)
  if (read.success && read.output.owner === laneOwner())
    happen({ what: 'kept-lines', lines: read.output.lines as unknown as LaneLine[] })
}
