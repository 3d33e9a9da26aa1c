import fc from 'fast-check'

import { plusDays } from '../../src/domain/calendar-day.ts'
import type { OpenCalendar } from '../../src/domain/open-days.ts'
import { publicHolidays } from '../../src/domain/public-holidays.ts'

export const anyDay = fc.integer({ min: 0, max: 2000 }).map((after) => plusDays('2024-01-01', after))

const closure = fc
  .tuple(anyDay, fc.integer({ min: 0, max: 40 }))
  .map(([first_day, length]) => ({ first_day, last_day: plusDays(first_day, length) }))
const holidays = fc
  .integer({ min: 2024, max: 2029 })
  .map((year) => publicHolidays(year).map((one) => ({ first_day: one.day, last_day: one.day })))

/** Six closures of 41 days at most: some day of any year is open. */
export const anyCalendar: fc.Arbitrary<OpenCalendar> = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  closures: fc
    .tuple(fc.array(closure, { maxLength: 6 }), fc.oneof(fc.constant([]), holidays))
    .map((of) => of.flat()),
})
