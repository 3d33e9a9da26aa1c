import { describe, expect, it } from 'vitest'

import {
  comparedPeriod,
  growthOf,
  monthOf,
  monthsWithin,
  periodBefore,
  periodFault,
  periodOf,
} from '../../src/domain/stat-periods.ts'

const period = (start_date: string, end_date: string) => ({ start_date, end_date })

describe('monthOf', () => {
  it.each([
    ['2026-02-01', '2026-02-01', '2026-02-28'],
    ['2026-02-10', '2026-02-01', '2026-02-28'],
    ['2024-02-29', '2024-02-01', '2024-02-29'],
    ['2026-12-31', '2026-12-01', '2026-12-31'],
  ])('of %s is whole, however long', (day, start, end) => {
    expect(monthOf(day)).toEqual(period(start, end))
  })
})

describe('periodOf', () => {
  it.each([
    ['two days as they are', '2026-01-15', '2026-03-02', '2026-01-15', '2026-03-02'],
    ['a first day with the end of its month', '2026-01-15', undefined, '2026-01-15', '2026-01-31'],
    ['a last day with the beginning of its month', undefined, '2026-01-15', '2026-01-01', '2026-01-15'],
    ['none with the month of today', undefined, undefined, '2026-03-01', '2026-03-31'],
  ])('takes %s', (_, first, last, start, end) => {
    expect(periodOf(first, last, '2026-03-10')).toEqual(period(start, end))
  })
})

describe('periodFault', () => {
  it.each([
    ['2026-03-10', '2026-03-10', null],
    ['2026-03-10', '2026-03-09', 'La date de fin ne doit pas précéder la date de début.'],
    ['2016-03-10', '2026-03-10', null],
    // 3660 days after 1 March 2016, and one more.
    ['2016-03-01', '2026-03-09', null],
    ['2016-03-01', '2026-03-10', 'La période ne doit pas dépasser 10 ans.'],
    ['1000-01-01', '1000-01-01', 'La période est trop ancienne.'],
    ['1000-01-02', '1000-01-02', null],
    ['1001-01-01', '1001-12-31', null],
  ])('of %s to %s: %s', (start, end, fault) => {
    expect(periodFault(period(start, end))).toBe(fault)
  })
})

describe('periodBefore', () => {
  it.each([
    ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['two months across a year', '2026-01-01', '2026-02-28', '2025-11-01', '2025-12-31'],
    ['a year', '2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
    ['a week', '2026-03-09', '2026-03-15', '2026-03-02', '2026-03-08'],
    ['a day', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['a month but its first day', '2026-03-02', '2026-03-31', '2026-01-31', '2026-03-01'],
    ['a month but its last day', '2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
  ])('of %s', (_, start, end, before, until) => {
    expect(periodBefore(period(start, end))).toEqual(period(before, until))
  })
})

describe('comparedPeriod', () => {
  it.each([
    ['not over: as many days as have passed', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-10'],
    ['begun today', '2026-03-10', '2026-04-09', '2026-02-07', '2026-02-07'],
    ['over', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['ending today', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
    ['to come', '2026-04-01', '2026-04-30', '2026-03-01', '2026-03-31'],
    ['beginning tomorrow', '2026-03-11', '2026-03-20', '2026-03-01', '2026-03-10'],
  ])('of one that is %s', (_, start, end, before, until) => {
    expect(comparedPeriod(period(start, end), '2026-03-10')).toEqual(period(before, until))
  })

  it.each([
    ['2026-03-27', '2026-02-27'],
    ['2026-03-28', '2026-02-28'],
    ['2026-03-30', '2026-02-28'],
  ])('on %s of March is no longer than February (%s)', (today, until) => {
    expect(comparedPeriod(period('2026-03-01', '2026-03-31'), today)).toEqual(period('2026-02-01', until))
  })

  it('is the whole of a longer one on the last day, and not the day before', () => {
    const february = period('2026-02-01', '2026-02-28')
    expect(comparedPeriod(february, '2026-02-28')).toEqual(period('2026-01-01', '2026-01-31'))
    expect(comparedPeriod(february, '2026-02-27')).toEqual(period('2026-01-01', '2026-01-27'))
  })
})

describe('growthOf', () => {
  it.each([
    [15, 10, 50],
    [5, 10, -50],
    [10, 10, 0],
    [0, 10, -100],
    [5, 0, null],
    [0, 0, null],
  ])('from %i, where %i were before, is %s percent', (now, before, growth) => {
    expect(growthOf({ now, before })).toBe(growth)
  })
})

describe('monthsWithin', () => {
  it.each([
    ['2026-02-01', '2026-02-28', ['2026-02-01', '2026-02-01'], []],
    ['2026-01-01', '2026-12-31', ['2026-01-01', '2026-12-01'], []],
    ['2026-01-31', '2026-02-28', ['2026-02-01', '2026-02-01'], [['2026-01-31', '2026-01-31']]],
    ['2026-02-01', '2026-03-01', ['2026-02-01', '2026-02-01'], [['2026-03-01', '2026-03-01']]],
    [
      '2025-12-15',
      '2026-02-03',
      ['2026-01-01', '2026-01-01'],
      [
        ['2025-12-15', '2025-12-31'],
        ['2026-02-01', '2026-02-03'],
      ],
    ],
    ['2026-01-02', '2026-01-31', null, [['2026-01-02', '2026-01-31']]],
    ['2026-01-15', '2026-02-14', null, [['2026-01-15', '2026-02-14']]],
    ['2026-01-01', '2026-01-30', null, [['2026-01-01', '2026-01-30']]],
    ['2026-01-01', '2026-01-01', null, [['2026-01-01', '2026-01-01']]],
  ])('from %s to %s is the months %j and the days %j', (start, end, months, days) => {
    expect(monthsWithin(period(start, end))).toEqual({
      months: months && period(months[0]!, months[1]!),
      days: days.map(([from, until]) => period(from!, until!)),
    })
  })
})
