import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import { daysShown, firstDayShown, isEnough, weeksTo } from '../../src/domain/calendar-weeks.ts'

// 10 March 2026 is a Tuesday.
describe('firstDayShown', () => {
  it.each([
    [1, '2026-02-23'],
    [2, '2026-02-24'],
    [3, '2026-02-18'],
    [4, '2026-02-19'],
    [7, '2026-02-22'],
  ])('is, where weeks begin on weekday %i, two weeks before the week of the day: %s', (weekday, first) => {
    expect(firstDayShown('2026-03-10', weekday, 0)).toBe(first)
  })

  it('goes on a week with the first day of the next, not the day before', () => {
    expect(
      ['2026-03-11', '2026-03-12', '2026-03-18', '2026-03-19'].map((day) => firstDayShown(day, 4, 0)),
    ).toEqual(['2026-02-19', '2026-02-26', '2026-02-26', '2026-03-05'])
  })

  it.each([
    [1, '2026-02-26'],
    [2, '2026-03-05'],
    [-1, '2026-02-12'],
    [10, '2026-04-30'],
  ])('goes on by %i weeks: %s', (weeks, first) => expect(firstDayShown('2026-03-10', 4, weeks)).toBe(first))

  it('keeps its weekday where clocks change', () => {
    expect(firstDayShown('2026-03-29', 7, 2)).toBe('2026-03-29')
    expect(firstDayShown('2026-10-25', 1, 2)).toBe('2026-10-19')
  })
})

describe('weeksTo', () => {
  it.each([
    ['2026-02-19', '2026-03-05', 0],
    ['2026-02-19', '2026-03-11', 0],
    ['2026-02-19', '2026-03-12', 1],
    ['2026-02-19', '2026-03-04', -1],
    ['2026-04-30', '2026-03-10', -10],
  ])('counts from what begins on %s to the weeks around %s %i', (first, around, weeks) => {
    expect(weeksTo(first, around)).toBe(weeks)
  })

  it('leads back to where one was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: -30, max: 30 }),
        (after, weekday, weeks) => {
          const day = plusDays('2026-01-01', after)
          expect(weeksTo(firstDayShown(day, weekday, weeks), day) + weeks).toBe(0)
        },
      ),
    )
  })
})

describe('daysShown', () => {
  it('are those of twelve weeks', () => expect(daysShown).toBe(84))
})

describe('isEnough', () => {
  it.each([
    [{}, false],
    [{ reference: 'ab' }, false],
    [{ reference: 'abc' }, true],
    [{ reference: ' ab ' }, false],
    [{ category: 'a' }, false],
    [{ category: 'ab' }, true],
    [{ category: ' a ' }, false],
    [{ bar_code: '' }, false],
    [{ bar_code: ' ' }, false],
    [{ bar_code: '1' }, true],
    [{ date: '' }, false],
    [{ date: '2026-03-10' }, true],
    [{ reference: 'ab', category: 'a', bar_code: ' ', date: '' }, false],
    [{ reference: 'ab', category: 'ab' }, true],
  ])('says of %j %s', (search, enough) => expect(isEnough(search)).toBe(enough))
})
