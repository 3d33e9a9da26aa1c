import { describe, expect, it } from 'vitest'

import { codesToShow, groupsOf, isApart, firstGroups } from '../../src/client/home/lane-groups.ts'
import type { LaneLine, LaneReader, Step } from '../../src/client/home/lane.ts'

const readerOf = (id: number): LaneReader => ({
  reader: {
    id,
    label: '',
    matricule: `M${id}`,
    lastname: '',
    firstname: '',
    reader_id: null,
    is_active: true,
    relatives: [],
  },
  relative: null,
})

const line = (key: string, step: Step, with_reader: number | null): LaneLine => ({
  key,
  code: key,
  at: 0,
  by: 'scanner',
  step,
  copy: null,
  with_reader,
  trouble: null,
  under_way: null,
  gestures: 0,
  before: { proposed: null, in_sight: false, chosen: null },
  confirmed: null,
})
const card = (key: string, id: number) => line(key, { name: 'reader', chosen: readerOf(id) }, null)
const copy = (key: string, reader: number | null) =>
  line(key, { name: 'taken-back', was: 'Prêt annulé' }, reader)

/** A copy that `borrower` had comes back while `chosen` is chosen. */
const back = (key: string, borrower: number, chosen: number): LaneLine => ({
  ...copy(key, chosen),
  copy: { bar_code: key, title: key, known: null, loan: { ...loan, beneficiary_id: borrower } },
})
const loan = {
  loan_id: 1,
  loan_key: null,
  copy_id: 1,
  bar_code: '',
  title: '',
  medium: null,
  site: 1,
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  late: false,
  waiting: false,
}

const told = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ heading, lines }) => [heading?.key ?? null, ...lines.map(({ key }) => key)])

describe('groups of the lane', () => {
  it('stand under the card they were done for, the last first', () => {
    const lines = [card('a', 1), copy('b', 1), copy('c', 1), card('d', 2), copy('e', 2)]
    expect(told(groupsOf(lines))).toEqual([
      ['d', 'e'],
      ['a', 'c', 'b'],
    ])
  })

  it('take in the copies that waited for the card, and leave out what was done for nobody', () => {
    const lines = [copy('returned', null), copy('waited', 1), card('a', 1), copy('b', 1), copy('alone', null)]
    expect(told(groupsOf(lines))).toEqual([
      [null, 'alone'],
      ['a', 'b', 'waited'],
      [null, 'returned'],
    ])
  })

  it('keep what another reader had from under the chosen one, whose group goes on', () => {
    const lines = [card('a', 1), copy('b', 1), back('own', 1, 1), back('other', 2, 1)]
    expect(told(groupsOf(lines))).toEqual([
      [null, 'other'],
      ['a', 'own', 'b'],
    ])
    expect(told(groupsOf([...lines, copy('c', 1)]))).toEqual([
      ['a', 'c', 'own', 'b'],
      [null, 'other'],
    ])
    expect(told(groupsOf([...lines, copy('c', 1), back('again', 3, 1), card('d', 2)]))).toEqual([
      ['d'],
      [null, 'again', 'other'],
      ['a', 'c', 'own', 'b'],
    ])
  })

  it('leave what came back for somebody who waits above what was done before it', () => {
    const awaited: LaneLine = {
      ...back('awaited', 2, 1),
      step: {
        name: 'received',
        from: 'Annexe',
        awaited: { id: 1, name: null, site: null, is_set_aside: false },
      },
    }
    const lines = [card('a', 1), copy('b', 1), copy('c', 1), awaited]
    expect(told(groupsOf([...lines, copy('d', 1), copy('e', 1)]))).toEqual([
      ['a', 'e', 'd'],
      [null, 'awaited'],
      ['a', 'c', 'b'],
    ])
    expect(groupsOf([...lines, card('again', 1)])[0]?.isAgain).toBe(true)
  })

  it('have one heading for a card scanned again, which says so until something else is scanned', () => {
    const again = groupsOf([card('a', 1), copy('b', 1), card('again', 1)])
    expect(told(again)).toEqual([['a', 'b']])
    expect(again[0]?.isAgain).toBe(true)
    expect(groupsOf([card('a', 1), card('again', 1), copy('b', 1)])[0]?.isAgain).toBe(false)
  })

  it('tell what was done for nobody apart from a reader without a line above it', () => {
    const groups = groupsOf([copy('unknown', null), card('a', 1)])
    expect(told(groups)).toEqual([['a'], [null, 'unknown']])
    expect(groups.map((group, at) => isApart(group, groups[at - 1]))).toEqual([false, true])
    const owned = groupsOf([copy('unknown', null), card('a', 1), copy('b', 1)])
    expect(owned.map((group, at) => isApart(group, owned[at - 1]))).toEqual([false, false])
  })

  it('are cut from the oldest, and a group that is cut keeps its card', () => {
    const lines = [card('a', 1), ...['b', 'c', 'd'].map((key) => copy(key, 1)), card('e', 2), copy('f', 2)]
    expect(told(firstGroups(groupsOf(lines), 4))).toEqual([
      ['e', 'f'],
      ['a', 'd', 'c'],
    ])
    expect(told(firstGroups(groupsOf(lines), 2))).toEqual([['e', 'f']])
  })
})

describe('codesToShow', () => {
  const titled = (bar_code: string, title: string): LaneLine => ({
    ...copy(bar_code, 1),
    copy: { bar_code, title, known: null, loan: null },
  })

  it.each([
    ['one copy of each title', ['31555510000017 A', '31555510000025 B'], [null, null]],
    ['one copy twice', ['31555510000017 A', '31555510000017 A'], [null, null]],
    ['two copies', ['A-000017 A', 'B-000017 A'], ['A-000017', 'B-000017']],
  ])('tells apart %s', (_, copies, shown) => {
    const lines = copies.map((one) => titled(one.slice(0, -2), one.slice(-1)))
    expect(lines.map(codesToShow(lines))).toEqual(shown)
    expect(codesToShow(lines)(copy('no copy', 1))).toBeNull()
  })
})
