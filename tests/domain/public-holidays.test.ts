import { describe, expect, it } from 'vitest'

import { areHolidaysLeft, easterOf, isClosedAtAll, publicHolidays } from '../../src/domain/public-holidays.ts'
import { yearOfHolidays } from '../../src/domain/year-of-holidays.ts'

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

describe('yearOfHolidays', () => {
  it.each([
    ['2026-10-31', null],
    ['2026-11-01', 2027],
    ['2026-12-31', 2027],
    ['2027-01-31', 2027],
    ['2027-02-01', null],
  ])('on %s is %s', (today, year) => {
    expect(yearOfHolidays(today)).toBe(year)
  })
})

describe('areHolidaysLeft', () => {
  const today = '2026-11-20'
  const week = (site: number, weekdays = [1, 2, 3, 4, 5, 6, 7]) => ({ site, weekdays })
  const closed = (day: string, site: number | null = null) => ({ site, first_day: day, last_day: day })
  const all = publicHolidays(2027).map(({ day }) => day)
  const left = (weeks: ReturnType<typeof week>[], closures: ReturnType<typeof closed>[], on = today) =>
    areHolidaysLeft(2027, { weeks, closures }, on)

  it('asks for as long as most of them are open at some site', () => {
    const closings = all.map((day) => closed(day))
    expect(left([week(1)], [])).toBe(true)
    expect(left([week(1)], [{ site: null, first_day: '2026-12-24', last_day: '2027-01-03' }])).toBe(true)
    expect(left([week(1)], closings.slice(0, 5))).toBe(true)
    expect(left([week(1)], closings.slice(0, 6))).toBe(false)
    const ofOne = all.map((day) => closed(day, 1))
    expect(left([week(1), week(2)], ofOne)).toBe(true)
    expect(left([week(1)], ofOne)).toBe(false)
  })

  it('counts neither those of a weekday that is closed anyway nor those that have passed', () => {
    // In 2027 four of the eleven fall on a Saturday or a Sunday.
    const weekdays = [1, 2, 3, 4, 5]
    const some = ['2027-01-01', '2027-03-29', '2027-05-06', '2027-05-17'].map((day) => closed(day))
    expect(left([week(1, weekdays)], some.slice(0, 3))).toBe(true)
    expect(left([week(1, weekdays)], some)).toBe(false)
    expect(left([week(1, [7])], [closed('2027-08-15')])).toBe(false)
    expect(
      left(
        [week(1)],
        all.slice(1, 6).map((day) => closed(day)),
        '2027-01-20',
      ),
    ).toBe(false)
  })

  it('calls a day closed where no site is open, and none is open without sites', () => {
    const openings = { weeks: [week(1), week(2, [1])], closures: [closed('2027-05-06', 1)] }
    expect(isClosedAtAll(openings, '2027-05-06')).toBe(true)
    expect(isClosedAtAll(openings, '2027-05-07')).toBe(false)
    expect(areHolidaysLeft(2027, { weeks: [], closures: [] }, today)).toBe(false)
  })
})
