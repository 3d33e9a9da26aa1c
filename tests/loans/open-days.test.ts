import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { daysBetween, plusDays, weekdayOf } from '../../src/domain/calendar-day.ts'
import { explainDue, startDayNote } from '../../src/domain/due-words.ts'
import { dueOn, type Duration, extendedDueOn, penaltyOf, stepsToDue } from '../../src/domain/loan-rules.ts'
import {
  alwaysOpen,
  calendarOf,
  isOpen,
  nextOpenDay,
  type OpenCalendar,
  openDaysBetween,
  plusOpenDays,
} from '../../src/domain/open-days.ts'
import { easterOf, publicHolidays } from '../../src/domain/public-holidays.ts'

const day = fc.integer({ min: 0, max: 2000 }).map((after) => plusDays('2024-01-01', after))
const closure = fc
  .tuple(day, fc.integer({ min: 0, max: 40 }))
  .map(([first_day, length]) => ({ first_day, last_day: plusDays(first_day, length) }))
const holidays = fc
  .integer({ min: 2024, max: 2029 })
  .map((year) => publicHolidays(year).map((one) => ({ first_day: one.day, last_day: one.day })))
/** Six closures of 41 days at most: some day of any year is open. */
const calendar: fc.Arbitrary<OpenCalendar> = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  closures: fc
    .tuple(fc.array(closure, { maxLength: 6 }), fc.oneof(fc.constant([]), holidays))
    .map((of) => of.flat()),
})
const duration: fc.Arbitrary<Duration> = fc.record({
  duration_value: fc.integer({ min: 1, max: 40 }),
  duration_type: fc.constantFrom('DAY', 'WEEK', 'MONTH', 'CYCLE'),
})
const cycle = fc.record({
  cycle_type: fc.constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const, null),
  cycle_value: fc.option(fc.integer({ min: 1, max: 3 })),
})
const end_day = fc.option(fc.integer({ min: 1, max: 7 }))
const loan = fc.record({ start: day, duration, cycle, end_day })

describe('a due date', () => {
  it('never falls on a closed day, whatever the week, closures, holidays, medium and extension', () => {
    fc.assert(
      fc.property(
        loan,
        calendar,
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (of, open, added, flagged) => {
          const due = dueOn(of.start, of.duration, of.cycle, of.end_day, open)
          expect(isOpen(due, open)).toBe(true)
          const lent = { ...of.duration, start_date: of.start, end_date: due, end_date_flagged: flagged }
          const extended = extendedDueOn(lent, added, of.cycle, of.end_day, open)
          expect(isOpen(extended, open)).toBe(true)
          expect(extended >= due).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is the first open day from the one that the medium wants', () => {
    fc.assert(
      fc.property(loan, calendar, (of, open) => {
        const { counted, wanted, due } = stepsToDue(of.start, of.duration, of.cycle, of.end_day, open)
        expect(wanted >= counted && daysBetween(counted, wanted) < 7).toBe(true)
        if (of.end_day !== null) expect(weekdayOf(wanted)).toBe(of.end_day)
        for (let before = wanted; before < due; before = plusDays(before, 1)) {
          expect(isOpen(before, open)).toBe(false)
        }
      }),
    )
  })

  it('is the one of before where the calendar is empty', () => {
    fc.assert(
      fc.property(loan, (of) => {
        const { wanted, due } = stepsToDue(of.start, of.duration, of.cycle, of.end_day, alwaysOpen)
        expect(due).toBe(wanted)
      }),
    )
    expect(dueOn('2026-03-10', weeks(3), noCycle, null, alwaysOpen)).toBe('2026-03-31')
    expect(dueOn('2026-03-10', weeks(3), noCycle, 5, alwaysOpen)).toBe('2026-04-03')
  })

  it('stays where nothing is open for a year', () => {
    const shut = [
      { first_day: '2026-01-01', last_day: '2026-12-31' },
      { first_day: '2027-01-01', last_day: '2027-12-31' },
    ]
    expect(nextOpenDay('2026-03-10', { ...alwaysOpen, closures: shut })).toBe('2026-03-10')
  })
})

const weeks = (duration_value: number): Duration => ({ duration_value, duration_type: 'WEEK' })
const days = (duration_value: number): Duration => ({ duration_value, duration_type: 'DAY' })
const noCycle = { cycle_type: null, cycle_value: null }

describe('open days', () => {
  it('are counted as one would count them one by one', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -5, max: 500 }), calendar, (from, length, open) => {
        let count = 0
        for (let after = 1; after <= length; after += 1) if (isOpen(plusDays(from, after), open)) count += 1
        expect(openDaysBetween(from, plusDays(from, length), open)).toBe(count)
      }),
      { numRuns: 300 },
    )
  })

  it('are passed one by one up to a shelf’s deadline', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 20 }), calendar, (from, count, open) => {
        const deadline = plusOpenDays(from, count, open)
        expect(isOpen(deadline, open)).toBe(true)
        expect(openDaysBetween(from, deadline, open)).toBe(count)
      }),
    )
    expect(plusOpenDays('2026-03-10', 7, alwaysOpen)).toBe('2026-03-17')
    expect(plusOpenDays('2026-03-10', 0, alwaysOpen)).toBe('2026-03-10')
  })

  it('are those of the site, and a closure without a site closes all', () => {
    const openings = {
      weeks: [{ site: 1, weekdays: [2, 3] }],
      closures: [
        { site: null, first_day: '2026-05-01', last_day: '2026-05-01' },
        { site: 2, first_day: '2026-05-08', last_day: '2026-05-08' },
      ],
    }
    expect(calendarOf(openings, 1)).toEqual({ weekdays: [2, 3], closures: [openings.closures[0]] })
    expect(calendarOf(openings, 2)).toEqual({ weekdays: alwaysOpen.weekdays, closures: openings.closures })
  })
})

describe('a penalty', () => {
  const medium = { penalty_enabled: true, penalty_amount: '0.50', penalty_duration_type: 'DAY' } as const
  const late = { end_date: '2026-03-10', return_date: '2026-03-20' }
  it('counts open days only, grace included', () => {
    expect(penaltyOf(late, 2, medium, alwaysOpen)).toMatchObject({ penalty_duration: 8, penalty_count: 8 })
    // Sundays and Mondays, and a week's closure of which five days are left.
    const shut = [{ first_day: '2026-03-17', last_day: '2026-03-22' }]
    expect(penaltyOf(late, 2, medium, { weekdays: [2, 3, 4, 5, 6], closures: shut })).toMatchObject({
      penalty_duration: 2,
      penalty_amount: '1.00',
    })
    expect(penaltyOf(late, 4, medium, { weekdays: [2, 3, 4, 5, 6], closures: shut })).toBeNull()
  })
})

describe('the words that explain a date', () => {
  const shut = (first_day: string, last_day = first_day): OpenCalendar => ({
    ...alwaysOpen,
    closures: [{ first_day, last_day }],
  })
  const explained = (duration: Duration, end_day: number | null, open: OpenCalendar) =>
    explainDue(stepsToDue('2026-03-03', duration, noCycle, end_day, open), duration, end_day)

  it.each([
    [days(21), null, alwaysOpen, null],
    [days(21), null, shut('2026-03-24', '2026-03-28'), '21 jours, puis fermé du 24 au 28, le 29'],
    [days(21), null, shut('2026-03-24'), '21 jours, puis fermé le 24, le 25'],
    [weeks(4), null, shut('2026-03-20', '2026-03-31'), '4 semaines, puis fermé le 31/03, le 01/04'],
    [weeks(3), 5, alwaysOpen, '3 semaines, puis au vendredi 27'],
    [weeks(3), 5, shut('2026-03-27'), '3 semaines, puis au vendredi 27, puis fermé le 27, le 28'],
    [days(28), null, shut('2026-03-31', '2026-04-02'), '28 jours, puis fermé du 31/03 au 02/04, le 03/04'],
  ])('of %j, ending on %j', (duration, end, open, words) => {
    expect(explained(duration, end, open)).toBe(words)
  })

  it('name the first of a month as people do', () => {
    const steps = { counted: '2026-04-01', wanted: '2026-04-01', due: '2026-04-03' }
    expect(explainDue(steps, days(7), null)).toBe('7 jours, puis fermé du 1er au 2, le 3')
  })

  it('say on which weekday a medium is lent where it is another', () => {
    expect(startDayNote(1, 2)).toBe('Ce support se prête d’habitude le lundi.')
    expect([startDayNote(1, 1), startDayNote(null, 3)]).toEqual([null, null])
  })
})

describe('public holidays', () => {
  it.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
    [2285, '2285-03-22'],
  ])('Easter of %i', (year, easter) => expect(easterOf(year)).toBe(easter))

  it('are the eleven of a year, in their order', () => {
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
})
