import * as v from 'valibot'

import { listEntries } from '../../offline/outbox.ts'
import { knownSoon } from '../api/known-soon.ts'
import { noteEntry } from '../outbox/outbox-entries.ts'
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
export async function resumeLane(text: string): Promise<void> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), kept), text)
  if (!read.success) return
  const { owner, lines } = read.output
  const isTheirs = () => owner === laneOwner()
  if (!isTheirs()) return
  const before = lines as unknown as LaneLine[]
  await knownSoon(readActions(before).catch(() => undefined))
  // Somebody else may sit here by now.
  if (isTheirs()) happen({ what: 'kept-lines', lines: before })
}

/** What became of their actions, before the lines are in sight: they would say that it is not known yet. */
async function readActions(lines: readonly LaneLine[]): Promise<void> {
  const ids = new Set(lines.flatMap(({ step }) => (step.name === 'kept' ? step.entry_id : [])))
  if (ids.size === 0) return
  // A new try, whatever became of it, says what became of the one that it replaces.
  for (const entry of await listEntries())
    if (ids.has(entry.id) || (entry.resolves ?? null) !== null) noteEntry(entry)
}
