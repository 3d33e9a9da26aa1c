import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type Entry, type EntryState, isUnsettled, personOf, senderOf } from '../../src/offline/entry.ts'
import { copyKeysOf, heldBack, inDeviceOrder } from '../../src/offline/queue-order.ts'

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

describe('heldBack', () => {
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
      held(
        ['a', 1, 'conflict', { bar_code: '1001' }],
        ['b', 1, 'queued', { copy_id: null, bar_code: '1001' }],
      ),
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

  it('holds back an entry behind its dependency only where that comes before it in the queue', () => {
    expect(
      held(['return', 1, 'queued', { depends_on: 'lend' }], ['lend', 2, 'conflict'], ['other', 1]),
    ).toEqual(['return'])
  })

  it('tells organisations apart, though a person has the same number in both', () => {
    expect(held(['a', 1, 'queued', { environment_id: 2 }], ['b', 1])).toEqual(['b'])
  })
})

it('senderOf names who took an action over, and else who made it', () => {
  const made = { environment_id: 1, user_id: 2, adopted_by: null }
  expect(personOf(made)).toBe('1/2')
  expect(senderOf(made)).toBe('1/2')
  expect(senderOf({ ...made, adopted_by: { user_id: 3, username: 'x', at: '' } })).toBe('1/3')
})

it('isUnsettled says no of what is done or dropped alone', () => {
  const states = ['queued', 'sending', 'waiting', 'conflict', 'quarantined', 'done', 'set_aside'] as const
  expect(states.filter((state) => isUnsettled({ state }))).toEqual(states.slice(0, 5))
})

it('copyKeysOf keeps numbers and bar codes apart', () => {
  expect(copyKeysOf({ copy_id: 1001, bar_code: '1001' })).toHaveLength(2)
  expect(new Set(copyKeysOf({ copy_id: 1001, bar_code: '1001' })).size).toBe(2)
  expect(copyKeysOf({ copy_id: null, bar_code: null })).toEqual([])
  expect(copyKeysOf({ copy_id: 0, bar_code: '' })).toHaveLength(2)
})

describe('inDeviceOrder', () => {
  const sorted = (...placed: [seq: number, place: number | null][]) =>
    placed
      .map(([seq, place]) => ({ seq, place }))
      .sort(inDeviceOrder)
      .map(({ seq }) => seq)

  it('goes by the place, and by age within one place', () => {
    expect(sorted([3, null], [1, null], [2, null])).toEqual([1, 2, 3])
    expect(sorted([2, null], [9, 1], [8, 1], [1, null])).toEqual([1, 8, 9, 2])
    expect(sorted([1, null], [9, 0])).toEqual([9, 1])
  })
})

/** What the rules say, pair by pair and without an order of work: the smallest set that satisfies them. */
function heldByRules(entries: readonly Entry[]): Set<string> {
  const queue = entries
    .filter(({ state }) => state !== 'done' && state !== 'set_aside')
    .toSorted((a, b) => (a.place ?? a.seq) - (b.place ?? b.seq) || a.seq - b.seq)
  const at = (id: string | null) => queue.findIndex((entry) => entry.id === id)
  const waitsForLater = (entry: Entry) => at(entry.depends_on) >= at(entry.id)
  const isOnOneCopy = (a: Entry, b: Entry) =>
    (a.copy_id !== null && a.copy_id === b.copy_id) || (a.bar_code !== null && a.bar_code === b.bar_code)
  const held = new Set<string>()
  for (let size = -1; size !== held.size;) {
    size = held.size
    for (const entry of queue) {
      const stopping = queue.slice(0, at(entry.id)).filter((before) => {
        const concerns =
          before.id === entry.depends_on || (isOnOneCopy(before, entry) && !waitsForLater(before))
        const stops =
          before.state === 'conflict' ||
          before.state === 'quarantined' ||
          held.has(before.id) ||
          (before.adopted_by?.user_id ?? before.user_id) !== (entry.adopted_by?.user_id ?? entry.user_id)
        return concerns && stops
      })
      if (stopping.length > 0 || waitsForLater(entry)) held.add(entry.id)
    }
  }
  return held
}

it('heldBack is what the rules say of any queue', () => {
  const states = ['queued', 'sending', 'done', 'waiting', 'conflict', 'quarantined', 'set_aside'] as const
  const sketch = fc.record({
    copy: fc.constantFrom<Pick<Entry, 'copy_id' | 'bar_code'>>(
      { copy_id: 1, bar_code: '1001' },
      { copy_id: null, bar_code: '1001' },
      { copy_id: 1, bar_code: null },
      { copy_id: 2, bar_code: '1002' },
      { copy_id: null, bar_code: null },
    ),
    state: fc.oneof({ weight: 3, arbitrary: fc.constant('queued' as const) }, fc.constantFrom(...states)),
    user_id: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.constant(2)),
    adopter: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom(1, 2)),
    depends_on: fc.option(fc.nat(7)),
    place: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
  })
  fc.assert(
    fc.property(fc.array(sketch, { maxLength: 8 }), (sketches) => {
      const entries = entriesOf(
        ...sketches.map(({ copy, state, user_id, adopter, depends_on, place }, at): Sketch => [
          `e${at}`,
          0,
          state,
          {
            ...copy,
            user_id,
            place,
            adopted_by: adopter === null ? null : { user_id: adopter, username: '', at: '' },
            depends_on: depends_on === null || depends_on === at ? null : `e${depends_on}`,
          },
        ]),
      )
      expect([...heldBack(entries)].sort()).toEqual([...heldByRules(entries)].sort())
    }),
    { numRuns: 500 },
  )
})
