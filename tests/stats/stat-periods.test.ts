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

describe('a period of statistics', () => {
  it('is the whole month of a day, however long', () => {
    expect(monthOf('2026-02-10')).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
    expect(monthOf('2024-02-29')).toEqual({ start_date: '2024-02-01', end_date: '2024-02-29' })
    expect(monthOf('2026-12-31')).toEqual({ start_date: '2026-12-01', end_date: '2026-12-31' })
  })

  it('takes one day with the other end of its month, and none with the month of today', () => {
    const today = '2026-03-10'
    expect(periodOf(undefined, undefined, today)).toEqual(monthOf(today))
    expect(periodOf('2026-01-15', undefined, today)).toEqual({
      start_date: '2026-01-15',
      end_date: '2026-01-31',
    })
    expect(periodOf(undefined, '2026-01-15', today)).toEqual({
      start_date: '2026-01-01',
      end_date: '2026-01-15',
    })
  })

  it('is wrong when it is turned round, or longer than ten years', () => {
    const fault = (start_date: string, end_date: string) => periodFault({ start_date, end_date })
    expect(fault('2026-03-10', '2026-03-10')).toBeNull()
    expect(fault('2016-03-11', '2026-03-10')).toBeNull()
    expect(fault('2026-03-10', '2026-03-09')).toBe('La date de fin ne doit pas précéder la date de début.')
    expect(fault('2016-01-01', '2026-03-10')).toBe('La période ne doit pas dépasser 10 ans.')
    expect(fault('1000-01-01', '1000-01-01')).toBe('La période est trop ancienne.')
    expect(fault('1001-01-01', '1001-12-31')).toBeNull()
  })

  it.each([
    ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['two months across a year', '2026-01-01', '2026-02-28', '2025-11-01', '2025-12-31'],
    ['a year', '2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
    ['a week', '2026-03-09', '2026-03-15', '2026-03-02', '2026-03-08'],
    ['a day', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
  ])('of %s is compared with the one before', (_, start_date, end_date, start, end) => {
    expect(periodBefore({ start_date, end_date })).toEqual({ start_date: start, end_date: end })
  })

  it.each([
    ['not over: as many days as have passed', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-10'],
    ['over', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['to come', '2026-04-01', '2026-04-30', '2026-03-01', '2026-03-31'],
    ['not over, after a shorter one', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
  ])('is compared, where it is %s', (_, start_date, end_date, start, end) => {
    const compared = comparedPeriod({ start_date, end_date }, '2026-03-10')
    expect(compared).toEqual({ start_date: start, end_date: end })
  })

  it('is compared with the whole of a shorter one, not with its own beginning', () => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    expect(comparedPeriod(march, '2026-03-30')).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
  })

  it('grows by nothing that can be said where nothing was before', () => {
    expect(growthOf({ now: 15, before: 10 })).toBe(50)
    expect(growthOf({ now: 5, before: 10 })).toBe(-50)
    expect(growthOf({ now: 5, before: 0 })).toBeNull()
  })

  it('is whole months and the days around them', () => {
    const within = (start_date: string, end_date: string) => monthsWithin({ start_date, end_date })
    expect(within('2026-02-01', '2026-02-28')).toEqual({
      months: { start_date: '2026-02-01', end_date: '2026-02-01' },
      days: [],
    })
    expect(within('2025-12-15', '2026-02-03')).toEqual({
      months: { start_date: '2026-01-01', end_date: '2026-01-01' },
      days: [
        { start_date: '2025-12-15', end_date: '2025-12-31' },
        { start_date: '2026-02-01', end_date: '2026-02-03' },
      ],
    })
    for (const [from, until] of [
      ['2026-01-02', '2026-01-31'],
      ['2026-01-15', '2026-02-14'],
      ['2026-01-01', '2026-01-30'],
    ] as const)
      expect(within(from, until)).toEqual({ months: null, days: [{ start_date: from, end_date: until }] })
  })
})
