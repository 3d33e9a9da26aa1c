import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import {
  alwaysOpen,
  calendarOf,
  isOpen,
  nextOpenDay,
  noOpenings,
  type OpenCalendar,
  openDaysBetween,
  plusOpenDays,
} from '../../src/domain/open-days.ts'
import { anyCalendar, anyDay } from './any-days.ts'

const shut = (...closures: OpenCalendar['closures']): OpenCalendar => ({ ...alwaysOpen, closures })
const from = (first_day: string, last_day = first_day) => ({ first_day, last_day })
/** 10 March 2026 is a Tuesday. */
const tuesdayToSaturday: OpenCalendar = { weekdays: [2, 3, 4, 5, 6], closures: [] }

describe('calendarOf', () => {
  const openings = {
    weeks: [{ site: 1, weekdays: [2, 3] }],
    closures: [
      { site: null, ...from('2026-05-01') },
      { site: 2, ...from('2026-05-08') },
    ],
  }

  it('has the week of the site and its closures; one without a site closes all', () => {
    expect(calendarOf(openings, 1)).toEqual({ weekdays: [2, 3], closures: [openings.closures[0]] })
    expect(calendarOf(openings, 2)).toEqual({
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      closures: openings.closures,
    })
  })

  it('of a site that is not known is what all of them have', () => {
    expect(calendarOf(openings, null)).toEqual({ ...alwaysOpen, closures: [openings.closures[0]] })
    expect(calendarOf(noOpenings, 1)).toEqual(alwaysOpen)
  })
})

describe('isOpen', () => {
  it.each([
    ['2026-03-09', false],
    ['2026-03-10', true],
    ['2026-03-14', true],
    ['2026-03-15', false],
  ])('by the week, on %s: %s', (day, open) => {
    expect(isOpen(day, tuesdayToSaturday)).toBe(open)
  })

  it.each([
    ['2026-03-16', true],
    ['2026-03-17', false],
    ['2026-03-18', false],
    ['2026-03-19', false],
    ['2026-03-20', true],
  ])('around a closure, on %s: %s', (day, open) => {
    expect(isOpen(day, shut(from('2026-01-01'), from('2026-03-17', '2026-03-19')))).toBe(open)
  })

  it('needs both the week and no closure', () => {
    const calendar = { ...tuesdayToSaturday, closures: [from('2026-03-11')] }
    expect(['2026-03-09', '2026-03-11', '2026-03-12'].map((day) => isOpen(day, calendar))).toEqual([
      false,
      false,
      true,
    ])
  })
})

describe('nextOpenDay', () => {
  it.each([
    ['is the day itself where it is open', '2026-03-10', alwaysOpen, '2026-03-10'],
    ['waits for the week', '2026-03-15', tuesdayToSaturday, '2026-03-17'],
    ['is after a closure', '2026-03-18', shut(from('2026-03-17', '2026-03-19')), '2026-03-20'],
    [
      'is after closures that follow one another',
      '2026-03-17',
      shut(from('2026-03-19', '2026-03-21'), from('2026-03-17', '2026-03-18')),
      '2026-03-22',
    ],
    [
      'waits for the week after a closure',
      '2026-03-12',
      { ...tuesdayToSaturday, closures: [from('2026-03-12', '2026-03-14')] },
      '2026-03-17',
    ],
  ])('%s', (_, day, calendar, next) => {
    expect(nextOpenDay(day, calendar)).toBe(next)
  })

  it('is looked for 366 days far, and else is the day itself', () => {
    // 11 March 2027 is 366 days after 10 March 2026.
    expect(nextOpenDay('2026-03-10', shut(from('2026-01-01', '2027-03-10')))).toBe('2027-03-11')
    expect(nextOpenDay('2026-03-10', shut(from('2026-01-01', '2027-03-11')))).toBe('2026-03-10')
    expect(nextOpenDay('2026-03-10', { weekdays: [], closures: [] })).toBe('2026-03-10')
  })
})

describe('openDaysBetween', () => {
  it.each([
    ['the same day', '2026-03-10', alwaysOpen, 0],
    ['the day before', '2026-03-09', alwaysOpen, 0],
    ['the day after', '2026-03-11', alwaysOpen, 1],
    ['a week later', '2026-03-17', tuesdayToSaturday, 5],
    ['nine days later, over a weekend', '2026-03-19', tuesdayToSaturday, 7],
    [
      'over closures that overlap',
      '2026-03-20',
      shut(from('2026-03-14', '2026-03-18'), from('2026-03-12', '2026-03-15')),
      3,
    ],
    ['over a closure that began before', '2026-03-13', shut(from('2026-03-01', '2026-03-11')), 2],
    ['over a closure that lasts longer', '2026-03-13', shut(from('2026-03-13', '2026-03-30')), 2],
    ['with closures before and after', '2026-03-13', shut(from('2026-03-10'), from('2026-03-14')), 3],
  ])('from 10 March to %s', (_, to, calendar, count) => {
    expect(openDaysBetween('2026-03-10', to, calendar)).toBe(count)
  })

  it('counts as one would count them one by one', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -5, max: 500 }), anyCalendar, (day, length, open) => {
        let count = 0
        for (let after = 1; after <= length; after += 1) if (isOpen(plusDays(day, after), open)) count += 1
        expect(openDaysBetween(day, plusDays(day, length), open)).toBe(count)
      }),
      { numRuns: 200 },
    )
  })
})

describe('plusOpenDays', () => {
  it.each([
    [0, alwaysOpen, '2026-03-10'],
    [1, alwaysOpen, '2026-03-11'],
    [7, alwaysOpen, '2026-03-17'],
    [4, tuesdayToSaturday, '2026-03-14'],
    [5, tuesdayToSaturday, '2026-03-17'],
    [1, shut(from('2026-03-10', '2026-03-12')), '2026-03-13'],
  ])('of %i from 10 March', (count, calendar, day) => {
    expect(plusOpenDays('2026-03-10', count, calendar)).toBe(day)
  })

  it('is an open day with so many of them behind it', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 20 }), anyCalendar, (day, count, open) => {
        const reached = plusOpenDays(day, count, open)
        expect(isOpen(reached, open)).toBe(true)
        expect(openDaysBetween(day, reached, open)).toBe(count)
      }),
    )
  })
})
