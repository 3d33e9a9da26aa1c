import { describe, expect, it } from 'vitest'

import type { ActionLabel, Entry } from '../../src/offline/entry.ts'
import { byReplaced, lastTryOf, withLoanReceipt } from '../../src/offline/next-try.ts'

const entry = (id: string, resolves: string | null = null, more: Partial<Entry> = {}): Entry =>
  ({
    id,
    resolves,
    endpoint: 'loanings.lend',
    state: 'queued',
    receipt: null,
    label: { kind: 'lend' },
    ...more,
  }) as Entry
const labelled = (kind: ActionLabel['kind']) => ({ label: { kind } as ActionLabel })
/** A choice that came too late to do anything. */
const tooLate = {
  endpoint: 'conflicts.settle',
  state: 'done',
  receipt: { '@type': 'Settlement', id: 7, loaning: null },
} as const

it('byReplaced finds the entry that took the place of each', () => {
  const [first, second, third] = [entry('a'), entry('b', 'a'), entry('c', 'b')]
  expect([...byReplaced([first, second, third])]).toEqual([
    ['a', second],
    ['b', third],
  ])
})

describe('lastTryOf', () => {
  const lastOf = (entries: Entry[], from = entries[0] as Entry) => lastTryOf(from, byReplaced(entries)).id

  it('is the entry itself where nothing took its place', () => {
    expect(lastOf([entry('a'), entry('b')])).toBe('a')
  })

  it('follows every try of the same kind', () => {
    expect(lastOf([entry('a'), entry('b', 'a'), entry('c', 'b')])).toBe('c')
  })

  it('stops before a choice that only notes something, or that did nothing', () => {
    expect(lastOf([entry('a'), entry('b', 'a'), entry('c', 'b', labelled('note'))])).toBe('b')
    expect(lastOf([entry('a'), entry('b', 'a', tooLate)])).toBe('a')
  })

  it('ends where entries replace each other', () => {
    expect(['a', 'b']).toContain(lastOf([entry('a', 'b'), entry('b', 'a')]))
  })
})

describe('withLoanReceipt', () => {
  const settled = {
    endpoint: 'conflicts.settle',
    state: 'done',
    receipt: { '@type': 'Settlement', id: 7, loaning: { id: 12, end_date: '2026-03-31' } },
  } as const

  it('shows the loan that a choice made, where it made one', () => {
    expect(withLoanReceipt(entry('a', null, settled)).receipt).toEqual({ id: 12, end_date: '2026-03-31' })
    expect(withLoanReceipt(entry('a', null, tooLate)).receipt).toBeNull()
  })

  it('leaves any other entry', () => {
    for (const other of [
      entry('a', null, { state: 'done', receipt: { id: 12 } }),
      entry('a', null, { ...settled, state: 'conflict' }),
    ])
      expect(withLoanReceipt(other)).toBe(other)
  })
})
