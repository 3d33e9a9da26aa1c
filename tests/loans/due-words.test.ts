import { describe, expect, it } from 'vitest'

import { explainDue, startDayNote } from '../../src/domain/due-words.ts'
import { type Duration, stepsToDue } from '../../src/domain/loan-rules.ts'
import { alwaysOpen, type OpenCalendar } from '../../src/domain/open-days.ts'

const weeks = (duration_value: number): Duration => ({ duration_value, duration_type: 'WEEK' })
const days = (duration_value: number): Duration => ({ duration_value, duration_type: 'DAY' })
const noCycle = { cycle_type: null, cycle_value: null }

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
