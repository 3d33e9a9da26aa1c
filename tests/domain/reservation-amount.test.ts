import { describe, expect, it } from 'vitest'

import type { DurationType } from '../../src/domain/loan-rules.ts'
import { estimatedAmount } from '../../src/domain/reservation-amount.ts'

describe('estimatedAmount', () => {
  /** At one euro, so that it tells how many units are counted. */
  const units = (
    start_date: string | null,
    end_date: string | null,
    duration: number | null,
    duration_type: DurationType | null,
    cycle_value: number | null = null,
  ) => estimatedAmount('1.00', { start_date, end_date, cycle_value }, { duration, duration_type })

  it.each([
    ['DAY', '2026-03-10', '1.00'],
    ['DAY', '2026-03-11', '1.00'],
    ['DAY', '2026-03-12', '2.00'],
    ['WEEK', '2026-03-10', '1.00'],
    ['WEEK', '2026-03-17', '1.00'],
    ['WEEK', '2026-03-18', '2.00'],
    ['MONTH', '2026-03-10', '1.00'],
    ['MONTH', '2026-04-10', '1.00'],
    ['MONTH', '2026-04-11', '2.00'],
    ['MONTH', '2026-06-10', '3.00'],
  ] as const)('counts started units (%s) from 10 March to %s', (unit, end, amount) => {
    expect(units('2026-03-10', end, 3, unit)).toBe(amount)
  })

  it.each([
    ['without days', null, null],
    ['without a first day', null, '2026-03-31'],
    ['without a last day', '2026-03-10', null],
  ])('takes the medium’s usual duration %s', (_, start, end) => {
    expect(units(start, end, 3, 'WEEK')).toBe('3.00')
    expect(units(start, end, null, null)).toBe('1.00')
  })

  it('counts days of a medium without a duration', () => {
    expect(units('2026-03-10', '2026-03-24', null, null)).toBe('14.00')
  })

  it('counts the cycles that are asked for, else the medium’s own', () => {
    expect(units('2026-03-10', '2026-03-24', 2, 'CYCLE', 5)).toBe('5.00')
    expect(units('2026-03-10', '2026-03-24', 2, 'CYCLE')).toBe('2.00')
    expect(units('2026-03-10', '2026-03-24', 2, 'WEEK', 5)).toBe('2.00')
  })

  it('multiplies the price', () => {
    const asked = { start_date: null, end_date: null, cycle_value: null }
    expect(estimatedAmount('0.25', asked, { duration: 3, duration_type: 'WEEK' })).toBe('0.75')
  })
})
