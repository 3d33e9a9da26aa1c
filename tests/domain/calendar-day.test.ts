import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'

import {
  calendarDayOf,
  daysBetween,
  frenchDay,
  isCalendarDay,
  isNoDay,
  plusDays,
  plusMonths,
  plusWeeks,
  weekdayOf,
  weekdays,
} from '../../src/domain/calendar-day.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('calendarDayOf', () => {
  it.each([
    ['Europe/Paris', '2026-03-09T22:59:59.999Z', '2026-03-09'],
    ['Europe/Paris', '2026-03-09T23:00:00.000Z', '2026-03-10'],
    ['Europe/Paris', '2026-07-09T21:59:59.999Z', '2026-07-09'],
    ['Europe/Paris', '2026-07-09T22:00:00.000Z', '2026-07-10'],
    ['Europe/Paris', '2025-12-31T23:00:00.000Z', '2026-01-01'],
    // The night on which summer begins, and the hour that comes twice on the one on which it ends.
    ['Europe/Paris', '2026-03-28T22:30:00.000Z', '2026-03-28'],
    ['Europe/Paris', '2026-03-28T23:30:00.000Z', '2026-03-29'],
    ['Europe/Paris', '2026-10-25T00:30:00.000Z', '2026-10-25'],
    ['Europe/Paris', '2026-10-25T01:30:00.000Z', '2026-10-25'],
    ['Asia/Kathmandu', '2026-03-09T18:14:59.999Z', '2026-03-09'],
    ['Asia/Kathmandu', '2026-03-09T18:15:00.000Z', '2026-03-10'],
    ['Indian/Reunion', '2026-03-09T20:00:00.000Z', '2026-03-10'],
    ['America/Martinique', '2026-03-10T03:59:59.999Z', '2026-03-09'],
    ['America/Martinique', '2026-03-10T04:00:00.000Z', '2026-03-10'],
  ])('says that in %s %s is %s', (zone, instant, day) => {
    expect(calendarDayOf(new Date(instant), zone)).toBe(day)
  })

  it('keeps zones apart that are asked of the same moment', () => {
    const moment = new Date('2026-03-10T02:00:00Z')
    const asked = ['Europe/Paris', 'America/Martinique', 'Europe/Paris', 'America/Martinique']
    expect(asked.map((zone) => calendarDayOf(moment, zone))).toEqual([
      '2026-03-10',
      '2026-03-09',
      '2026-03-10',
      '2026-03-09',
    ])
  })

  it('makes one formatter of a zone, and asks it once in a quarter of an hour', () => {
    const format = vi.fn(() => '2026-03-10')
    const made = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function formatter() {
      return { format } as unknown as Intl.DateTimeFormat
    })
    for (const time of ['10:00:00', '10:14:59', '10:15:00', '10:29:59']) {
      calendarDayOf(new Date(`2026-03-10T${time}Z`), 'Pacific/Noumea')
    }
    expect([made.mock.calls.length, format.mock.calls.length]).toEqual([1, 2])
  })
})

// Clocks change at midnight in São Paulo and Beirut, so that some days there have no first hour.
const machines = ['UTC', 'Europe/Paris', 'America/Sao_Paulo', 'Asia/Beirut', 'Pacific/Auckland']

describe.each(machines)('days counted on a machine in %s', (zone) => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((after) => {
    const date = new Date(Date.UTC(2000, 0, 1 + after))
    return date.toISOString().slice(0, 10)
  })
  const count = fc.integer({ min: -2000, max: 2000 })

  it('go forth and back alike', () => {
    vi.stubEnv('TZ', zone)
    fc.assert(
      fc.property(day, count, (from, length) => {
        const to = plusDays(from, length)
        expect(daysBetween(from, to)).toBe(length)
        expect(daysBetween(to, from) + length).toBe(0)
        expect(plusDays(to, -length)).toBe(from)
      }),
    )
  })

  it('go round the week in seven', () => {
    vi.stubEnv('TZ', zone)
    fc.assert(
      fc.property(day, count, (from, length) => {
        expect(weekdayOf(plusDays(from, 1))).toBe(weekdayOf(from) === 7 ? 1 : weekdayOf(from) + 1)
        expect(daysBetween(from, plusWeeks(from, length))).toBe(7 * length)
      }),
    )
  })

  it('keep their number from month to month', () => {
    vi.stubEnv('TZ', zone)
    expect([plusMonths('2018-10-04', 1), plusMonths('2026-02-28', 1)]).toEqual(['2018-11-04', '2026-03-28'])
  })
})

describe('plusDays', () => {
  it.each([
    ['2026-03-10', 0, '2026-03-10'],
    ['2026-03-31', 1, '2026-04-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('counts from %s %i days: %s', (day, count, wanted) => expect(plusDays(day, count)).toBe(wanted))
})

describe('plusWeeks', () => {
  it.each([
    ['2026-03-10', 0, '2026-03-10'],
    ['2026-03-10', 3, '2026-03-31'],
    ['2026-03-10', -2, '2026-02-24'],
  ])('counts from %s %i weeks: %s', (day, count, wanted) => expect(plusWeeks(day, count)).toBe(wanted))
})

describe('plusMonths', () => {
  it.each([
    ['2026-01-31', 0, '2026-01-31'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-11-15', 2, '2027-01-15'],
    ['2026-03-31', -1, '2026-02-28'],
  ])('counts from %s %i months: %s', (day, count, wanted) => expect(plusMonths(day, count)).toBe(wanted))
})

describe('daysBetween', () => {
  it.each([
    ['2026-03-10', '2026-03-10', 0],
    ['2026-03-10', '2026-03-11', 1],
    ['2026-03-10', '2026-03-09', -1],
    ['2026-01-01', '2027-01-01', 365],
    ['2024-01-01', '2025-01-01', 366],
  ])('counts from %s to %s %i', (from, to, count) => expect(daysBetween(from, to)).toBe(count))
})

describe('weekdayOf', () => {
  it.each([
    ['2026-03-09', 1, 'lundi'],
    ['2026-03-10', 2, 'mardi'],
    ['2026-03-14', 6, 'samedi'],
    ['2026-03-15', 7, 'dimanche'],
  ])('numbers %s %i, which the list of weekdays calls %s', (day, number, word) => {
    expect([weekdayOf(day), weekdays[number - 1]]).toEqual([number, word])
  })
})

describe('isCalendarDay', () => {
  it.each([
    '2026-03-10',
    '2026-01-01',
    '2026-12-31',
    '2024-02-29',
    '2000-02-29',
    '1000-01-01',
    '8999-12-31',
    '9000-01-01',
    '9899-12-31',
  ])('takes %s', (text) => expect(isCalendarDay(text)).toBe(true))

  it.each([
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '0001-01-01',
    '0999-12-31',
    '9900-01-01',
    '9999-12-31',
    '12026-01-01',
    '2026-3-10',
    '2026-03-1',
    '2026-03-100',
    '10/03/2026',
    '2026-03-10T00:00:00Z',
    ' 2026-03-10',
    '',
  ])('refuses %j', (text) => expect(isCalendarDay(text)).toBe(false))
})

describe('isNoDay', () => {
  it('knows the year 0001, whatever its day', () => {
    expect(['0001-01-01', '0001-12-31'].map(isNoDay)).toEqual([true, true])
  })

  it.each(['0002-01-01', '0000-01-01', '2026-01-01', '10001-01-01', '0001-01-010', '0001-1-01', '0001', ''])(
    'takes %j for something else',
    (text) => expect(isNoDay(text)).toBe(false),
  )
})

describe('frenchDay', () => {
  it.each([
    [undefined, '09/03/2026'],
    ['2026-12-31', '09/03'],
    ['2026-01-01', '09/03'],
    ['2025-12-31', '09/03/2026'],
    ['2027-03-09', '09/03/2026'],
  ])('writes 2026-03-09 beside %s as %s', (beside, written) => {
    expect(frenchDay('2026-03-09', beside)).toBe(written)
  })
})
