import { expect, it } from 'vitest'

import { nextRefused } from '../../src/client/waiting/use-work-focus.ts'
import type { EntryState } from '../../src/offline/entry.ts'

const queue = (...rows: [id: string, state: EntryState][]) => rows.map(([id, state]) => ({ id, state }))
const before = queue(['a', 'conflict'], ['b', 'conflict'], ['c', 'queued'], ['d', 'quarantined'])

it.each([
  ['what follows', 'a', queue(['b', 'conflict'], ['c', 'queued'], ['d', 'quarantined']), 'b'],
  ['not the choice that took its place', 'a', queue(['x', 'queued'], ['b', 'conflict']), 'b'],
  ['the choice, once it is refused in its turn', 'b', queue(['a', 'conflict'], ['x', 'conflict']), 'x'],
  ['past what only waits', 'b', queue(['a', 'conflict'], ['c', 'queued'], ['d', 'quarantined']), 'd'],
  ['what stands before, at the end', 'd', queue(['a', 'conflict'], ['b', 'conflict'], ['c', 'queued']), 'b'],
  ['nothing, when nothing is left to settle', 'a', queue(['c', 'queued']), null],
])('nextRefused goes on with %s', (_, held, now, next) => {
  expect(nextRefused(before, now, held)).toBe(next)
})
