import { expect, it } from 'vitest'

import type { Entry, EntryState } from '../../src/offline/entry.ts'
import { heldBack } from '../../src/offline/queue-order.ts'

type Sketch = [id: string, copy: number, state?: EntryState, more?: Partial<Entry>]

const entriesOf = (...sketches: Sketch[]): Entry[] =>
  sketches.map(([id, copy_id, state = 'queued', more = {}], at) => ({
    ...({
      seq: at + 1,
      place: null,
      depends_on: null,
      bar_code: null,
      environment_id: 1,
      user_id: 1,
      adopted_by: null,
    } as Partial<Entry> as Entry),
    id,
    copy_id,
    state,
    ...more,
  }))
const held = (...sketches: Sketch[]) => [...heldBack(entriesOf(...sketches))]

it('holds back the same copy behind a refusal, and nothing else', () => {
  expect(held(['a', 1, 'conflict'], ['b', 1], ['c', 2], ['d', 1])).toEqual(['b', 'd'])
  expect(held(['a', 1, 'quarantined'], ['b', 1])).toEqual(['b'])
})

it('lets go once the refusal is settled', () => {
  expect(held(['a', 1, 'set_aside'], ['b', 1])).toEqual([])
  expect(held(['a', 1, 'done'], ['b', 1])).toEqual([])
})

it('leaves in order what is merely queued', () => {
  expect(held(['a', 1], ['b', 1], ['c', 1, 'queued', { depends_on: 'a' }])).toEqual([])
})

it('knows a copy by its bar code too', () => {
  expect(
    held(['a', 1, 'conflict', { bar_code: '1001' }], ['b', 1, 'queued', { copy_id: null, bar_code: '1001' }]),
  ).toEqual(['b'])
})

it('holds back what depends on a refusal of another copy, and what follows from that', () => {
  expect(held(['a', 1, 'conflict'], ['b', 2, 'queued', { depends_on: 'a' }], ['c', 2])).toEqual(['b', 'c'])
})

it('lets go when what it depends on is not there any more', () => {
  expect(held(['b', 2, 'queued', { depends_on: 'forgotten' }])).toEqual([])
})

it('holds back a copy behind another person’s unsent action, but not once adopted', () => {
  expect(held(['a', 1, 'queued', { user_id: 2 }], ['b', 1])).toEqual(['b'])
  const adopted_by = { user_id: 1, username: 'x', at: '' }
  expect(held(['a', 1, 'queued', { user_id: 2, adopted_by }], ['b', 1])).toEqual([])
})

it('gives a new try the place of the first', () => {
  expect(
    held(['return', 1, 'queued', { depends_on: 'again' }], ['again', 1, 'queued', { place: 0 }]),
  ).toEqual([])
  expect(held(['return', 1, 'queued', { depends_on: 'again' }], ['again', 1])).toEqual(['return'])
})
