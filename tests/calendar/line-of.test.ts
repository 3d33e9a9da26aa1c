import { describe, expect, it } from 'vitest'

import { type Cell, lineOf } from '../../src/client/calendar/line-of.ts'
import type { CalendarBar } from '../../src/contract/calendar.ts'
import { firstDayShown, isEnough, weeksTo } from '../../src/domain/calendar-weeks.ts'

const first_day = '2026-02-19'
const bar = (state: CalendarBar['state'], from: string, to: string): CalendarBar => ({
  kind: state === 'reservation' ? 'reservation' : 'loan',
  id: 1,
  state,
  first_day: from,
  last_day: to,
  due: null,
  beneficiary: 1,
  beneficiary_name: null,
})
const told = (cell: Cell) =>
  cell.kind === 'free'
    ? `free ${cell.first}-${cell.last} of ${cell.run.first}-${cell.run.last}`
    : `${cell.bar.state} ${cell.first}-${cell.last} in ${cell.lane}`

describe('a line of the calendar', () => {
  it('is free week by week where nothing is', () => {
    const { lanes, cells } = lineOf([], first_day, true)
    expect([lanes, cells.length]).toEqual([1, 12])
    expect(cells.slice(0, 2).map(told)).toEqual(['free 0-6 of 0-83', 'free 7-13 of 0-83'])
  })

  it('is cut at the weeks shown and around its bars', () => {
    const { cells } = lineOf(
      [bar('overdue', '2026-01-01', '2026-02-20'), bar('loan', '2026-02-24', '2026-06-01')],
      first_day,
      true,
    )
    expect(cells.map(told)).toEqual(['overdue 0-1 in 0', 'free 2-4 of 2-4', 'loan 5-83 in 0'])
  })

  it('shows the day of a return that is the day of the next loan as the loan’s', () => {
    const { lanes, cells } = lineOf(
      [bar('returned', '2026-02-19', '2026-02-24'), bar('loan', '2026-02-24', '2026-05-13')],
      first_day,
      true,
    )
    expect([lanes, cells.map(told)]).toEqual([1, ['returned 0-4 in 0', 'loan 5-83 in 0']])
  })

  it('lays what has the same days in lanes, and free days beside all of them', () => {
    const { lanes, cells } = lineOf(
      [bar('reservation', '2026-02-19', '2026-02-28'), bar('reservation', '2026-02-25', '2026-03-05')],
      first_day,
      true,
    )
    expect([lanes, cells.slice(0, 4).map(told)]).toEqual([
      2,
      ['reservation 0-9 in 0', 'reservation 6-14 in 1', 'free 15-20 of 15-83', 'free 21-27 of 15-83'],
    ])
  })

  it('has no free days on the head of a block', () => {
    expect(lineOf([bar('reservation', '2027-01-01', '2027-01-02')], first_day, false).cells).toEqual([])
  })
})

describe('the weeks of the calendar', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('begin on weekday %i, two before the current one', (weekday) => {
    const first = firstDayShown('2026-03-10', weekday, 0)
    expect(weeksTo(first, '2026-03-10')).toBe(0)
    expect(weeksTo(firstDayShown('2026-03-10', weekday, 10), '2026-03-10')).toBe(-10)
    expect(weeksTo(first, '2026-03-17')).toBe(1)
  })

  it('begin where the clocks change, too', () => {
    expect(firstDayShown('2026-03-29', 7, 2)).toBe('2026-03-29')
    expect(firstDayShown('2026-10-25', 1, 2)).toBe('2026-10-19')
  })

  it('are asked for by enough', () => {
    expect(
      [{}, { reference: 'abc' }, { reference: 'ab ' }, { category: 'ab' }, { bar_code: '1' }].map(isEnough),
    ).toEqual([false, true, false, true, true])
  })
})
