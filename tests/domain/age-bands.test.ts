import { describe, expect, it } from 'vitest'

import { ageBandOf } from '../../src/domain/age-bands.ts'

describe('ageBandOf', () => {
  const born = (birth_year: number | null, day = '2026-03-01') =>
    ageBandOf({ kind: 'person', birth_year }, day)

  it.each([
    ['0-5', 2026, 2021],
    ['6-10', 2020, 2016],
    ['11-14', 2015, 2012],
    ['15-24', 2011, 2002],
    ['25-64', 2001, 1962],
    ['65+', 1961, 1900],
  ])('counts in %s those born from %i back to %i, on a day of 2026', (band, youngest, oldest) => {
    expect([youngest, oldest].map((year) => born(year))).toEqual([band, band])
  })

  it('counts the age that is reached in the year, on its first day as on its last', () => {
    expect([born(2011, '2026-01-01'), born(2011, '2026-12-31')]).toEqual(['15-24', '15-24'])
    expect([born(2011, '2025-12-31'), born(2001, '2027-01-01')]).toEqual(['11-14', '25-64'])
  })

  it('knows no band without a year, nor for a year to come', () => {
    expect([born(null), born(2027)]).toEqual([null, null])
  })

  it('counts a collectivity apart, whatever year it was founded', () => {
    expect(
      [1950, 2027, null].map((birth_year) => ageBandOf({ kind: 'collectivity', birth_year }, '2026-03-01')),
    ).toEqual(['collectivity', 'collectivity', 'collectivity'])
  })
})
