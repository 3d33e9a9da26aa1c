import { expect, it } from 'vitest'

import { ageBandOf } from '../../src/domain/age-bands.ts'

const born = (birth_year: number | null) => ageBandOf({ kind: 'person', birth_year }, '2026-03-01')

it('counts a reader by the age reached in the year of the loan', () => {
  expect([2026, 2021, 2020, 2016, 2015, 2012, 2011, 2002, 2001, 1962, 1961].map(born)).toEqual([
    '0-5',
    '0-5',
    '6-10',
    '6-10',
    '11-14',
    '11-14',
    '15-24',
    '15-24',
    '25-64',
    '25-64',
    '65+',
  ])
})

it('knows no band without a year, nor for a year to come', () => {
  expect(born(null)).toBeNull()
  expect(born(2027)).toBeNull()
})

it('counts a collectivity apart, whatever year it was founded', () => {
  expect(ageBandOf({ kind: 'collectivity', birth_year: 1950 }, '2026-03-01')).toBe('collectivity')
})
