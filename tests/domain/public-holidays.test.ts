import { describe, expect, it } from 'vitest'

import { easterOf, publicHolidays } from '../../src/domain/public-holidays.ts'

describe('easterOf', () => {
  it.each([
    [1886, '1886-04-25'],
    [1954, '1954-04-18'],
    [1981, '1981-04-19'],
    [2000, '2000-04-23'],
    [2008, '2008-03-23'],
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
    [2049, '2049-04-18'],
    [2076, '2076-04-19'],
    [2100, '2100-03-28'],
    [2285, '2285-03-22'],
    [2400, '2400-04-16'],
  ])('of %i', (year, easter) => {
    expect(easterOf(year)).toBe(easter)
  })
})

describe('publicHolidays', () => {
  it('has the eleven of a year, in their order', () => {
    expect(publicHolidays(2026).map((one) => `${one.day} ${one.label}`)).toEqual([
      '2026-01-01 Jour de l’an',
      '2026-04-06 Lundi de Pâques',
      '2026-05-01 Fête du Travail',
      '2026-05-08 Victoire de 1945',
      '2026-05-14 Ascension',
      '2026-05-25 Lundi de Pentecôte',
      '2026-07-14 Fête nationale',
      '2026-08-15 Assomption',
      '2026-11-01 Toussaint',
      '2026-11-11 Armistice de 1918',
      '2026-12-25 Noël',
    ])
  })

  it('puts Ascension before 8 May where Easter is early', () => {
    expect(
      publicHolidays(2008)
        .slice(2, 5)
        .map((one) => one.day),
    ).toEqual(['2008-05-01', '2008-05-01', '2008-05-08'])
    expect(
      publicHolidays(2027)
        .slice(2, 5)
        .map((one) => one.label),
    ).toEqual(['Fête du Travail', 'Ascension', 'Victoire de 1945'])
  })
})
