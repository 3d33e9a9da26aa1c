import { describe, expect, it } from 'vitest'

import { dueWords, explainDue, startDayNote } from '../../src/domain/due-words.ts'

const days = (duration_value: number) => ({ duration_value, duration_type: 'DAY' }) as const

describe('explainDue', () => {
  it.each<[counted: string, wanted: string, due: string, end_day: number | null, words: string | null]>([
    ['2026-03-24', '2026-03-24', '2026-03-24', null, null],
    ['2026-03-24', '2026-03-24', '2026-03-24', 2, null],
    ['2026-03-24', '2026-03-24', '2026-03-25', null, '21 jours, puis fermé le 24, le 25'],
    ['2026-03-24', '2026-03-24', '2026-03-26', null, '21 jours, puis fermé du 24 au 25, le 26'],
    ['2026-03-24', '2026-03-24', '2026-03-29', null, '21 jours, puis fermé du 24 au 28, le 29'],
    // A day that another wanted to be is no closed one: the weekday alone explains it.
    ['2026-03-24', '2026-03-27', '2026-03-27', 5, '21 jours, puis au vendredi 27'],
    ['2026-03-24', '2026-03-30', '2026-03-30', 1, '21 jours, puis au lundi 30'],
    ['2026-03-24', '2026-03-29', '2026-03-29', 7, '21 jours, puis au dimanche 29'],
    ['2026-03-24', '2026-03-27', '2026-03-28', 5, '21 jours, puis au vendredi 27, puis fermé le 27, le 28'],
    ['2026-03-01', '2026-03-01', '2026-03-03', null, '21 jours, puis fermé du 1er au 2, le 3'],
    ['2026-03-08', '2026-03-08', '2026-03-09', null, '21 jours, puis fermé le 8, le 9'],
    ['2026-03-31', '2026-03-31', '2026-04-01', null, '21 jours, puis fermé le 31/03, le 01/04'],
    ['2026-03-31', '2026-03-31', '2026-04-03', null, '21 jours, puis fermé du 31/03 au 02/04, le 03/04'],
    ['2025-12-31', '2025-12-31', '2026-01-02', null, '21 jours, puis fermé du 31/12 au 01/01, le 02/01'],
    // The same month of another year is another month.
    ['2026-03-10', '2026-03-10', '2027-03-11', null, '21 jours, puis fermé du 10/03 au 10/03, le 11/03'],
    ['2026-03-30', '2026-04-03', '2026-04-03', 5, '21 jours, puis au vendredi 3'],
  ])(
    'says of a day counted as %s, wanted as %s and due as %s, of a medium that ends on %s: %s',
    (counted, wanted, due, end_day, words) => {
      expect(explainDue({ counted, wanted, due }, days(21), end_day)).toBe(words)
    },
  )

  it('begins with the duration, in its own unit', () => {
    const steps = { counted: '2026-03-24', wanted: '2026-03-24', due: '2026-03-25' }
    expect(explainDue(steps, { duration_value: 3, duration_type: 'WEEK' }, null)).toBe(
      '3 semaines, puis fermé le 24, le 25',
    )
  })
})

describe('startDayNote', () => {
  it.each([
    [1, 2, 'Ce support se prête d’habitude le lundi.'],
    [7, 1, 'Ce support se prête d’habitude le dimanche.'],
    [1, 1, null],
    [null, 1, null],
  ])('says of a medium lent from weekday %s on, on weekday %i: %s', (start_day, weekday, note) => {
    expect(startDayNote(start_day, weekday)).toBe(note)
  })
})

it('dueWords says that a day is to be verified which nobody knows', () => {
  expect(dueWords({ end_date: '2026-03-31' })).toBe('retour prévu le 31/03/2026')
  expect(dueWords({ end_date: '2026-03-31' }, '', 'à vérifier')).toBe('31/03/2026')
  expect(dueWords({ end_date: null })).toBe('retour à vérifier')
  expect(dueWords({ end_date: null }, 'À rendre le', 'Date à vérifier')).toBe('Date à vérifier')
})
