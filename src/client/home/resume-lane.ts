import * as v from 'valibot'

import { listEntries } from '../../offline/outbox.ts'
import { knownSoon } from '../api/known-soon.ts'
import { noteEntry } from '../outbox/outbox-entries.ts'
import type { LaneLine } from './lane.ts'
import { groupsOf } from './lane-groups.ts'
import { happen, laneOwner, shape } from './lane-store.ts'
import { lineWordsOf } from './lane-words.ts'

const kept = v.object({
  shape: v.literal(shape),
  owner: v.string(),
  lines: v.array(
    v.looseObject({
      key: v.string(),
      code: v.string(),
      at: v.number(),
      step: v.looseObject({ name: v.string() }),
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
  const before = (lines as unknown as LaneLine[]).filter(isDrawable)
  await knownSoon(readActions(before).catch(() => undefined))
  // Somebody else may sit here by now.
  if (isTheirs()) happen({ what: 'kept-lines', lines: before })
}

/** Whatever a page kept, or somebody wrote there: one line that cannot be drawn would take the whole counter away, at each reload. */
function isDrawable(line: LaneLine): boolean {
  const may = { lend: true, return: true, override: true }
  try {
    groupsOf([line])
    const words = lineWordsOf(line, null, {
      now: line.at,
      today: '2026-01-01',
      isOnline: true,
      may,
      under: null,
    })
    const { title, sentence, price, state, notes, awaited } = words
    const texts = [title, sentence, price ?? '', state.word, ...notes.map(({ text }) => text)]
    const isNamed = awaited === null || typeof awaited.by.id === 'number'
    return isNamed && texts.every((text) => typeof text === 'string')
  } catch {
    return false
  }
}

/** What became of their actions, before the lines are in sight: they would say that it is not known yet. */
async function readActions(lines: readonly LaneLine[]): Promise<void> {
  const ids = new Set(lines.flatMap(({ step }) => (step.name === 'kept' ? step.entry_id : [])))
  if (ids.size === 0) return
  // A new try, whatever became of it, says what became of the one that it replaces.
  for (const entry of await listEntries())
    if (ids.has(entry.id) || (entry.resolves ?? null) !== null) noteEntry(entry)
}
