import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plusDays, weekdayOf, weekdays } from '../../src/domain/calendar-day.ts'
import { daysTyped, namedDays } from '../../src/domain/typed-day.ts'
import { anyDay } from './any-days.ts'

/** A Tuesday. */
const today = '2026-03-10'

describe('days that are typed', () => {
  it.each([
    ['aujourd’hui', '2026-03-10'],
    ["aujourd'hui", '2026-03-10'],
    ['Demain', '2026-03-11'],
    ['après-demain', '2026-03-12'],
    ['samedi', '2026-03-14'],
    ['ce samedi', '2026-03-14'],
    ['lundi prochain', '2026-03-16'],
    ['mardi', '2026-03-17'],
    ['24/12', '2026-12-24'],
    ['le 24/12', '2026-12-24'],
    ['24.12', '2026-12-24'],
    ['jeudi 24/12', '2026-12-24'],
    ['le jeudi 24 décembre', '2026-12-24'],
    ['1er mai', '2026-05-01'],
    ['9/3', '2027-03-09'],
    ['10/3', '2026-03-10'],
    ['29/02', '2028-02-29'],
    ['le 24', '2026-03-24'],
    ['le 9', '2026-04-09'],
    ['24/12/2027', '2027-12-24'],
    ['24/12/27', '2027-12-24'],
  ])('are one in « %s »', (typed, day) => {
    expect(daysTyped(typed, today)).toEqual({ first: day, last: day })
  })

  it.each([
    ['du 24/12 au 2/1', '2026-12-24', '2027-01-02'],
    ['du samedi au lundi', '2026-03-14', '2026-03-16'],
    ['du 14 juillet jusqu’au 15 août', '2026-07-14', '2026-08-15'],
    ['du 24/12/2026 au 2 janvier', '2026-12-24', '2027-01-02'],
    ['du 3 au 7 avril', '2026-04-03', '2026-04-07'],
    ['du 3 au 7 janvier', '2027-01-03', '2027-01-07'],
    ['du 1er au 15 août', '2026-08-01', '2026-08-15'],
    ['du 28 au 2 mai', '2026-04-28', '2026-05-02'],
    ['du 24 au 26', '2026-03-24', '2026-03-26'],
    ['du 2 janvier au 5 janvier 2028', '2028-01-02', '2028-01-05'],
    ['du 24 décembre au 2 janvier 2028', '2027-12-24', '2028-01-02'],
    ['du 24/12 au 2/1/2028', '2027-12-24', '2028-01-02'],
  ])('are several in « %s »', (typed, first, last) => {
    expect(daysTyped(typed, today)).toEqual({ first, last })
  })

  it.each([
    '',
    'mardi 24 décembre',
    'les jours fériés',
    'dupont',
    '32/12',
    '31/02/2026',
    'le 45',
    'du 24/12/2026 au 1/12/2026',
  ])('are none in « %s »', (typed) => {
    expect(daysTyped(typed, today)).toBeNull()
  })

  it('are the next of their name within a week, and never today', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...weekdays), (day, name) => {
        const { first } = daysTyped(name, day) ?? { first: day }
        expect(first > day && first <= plusDays(day, 7)).toBe(true)
        expect(weekdays[weekdayOf(first) - 1]).toBe(name)
      }),
    )
  })

  it('are said with their names', () => {
    expect(namedDays({ first: '2026-03-14', last: '2026-03-14' })).toBe('samedi 14/03/2026')
    expect(namedDays({ first: '2026-12-24', last: '2027-01-02' })).toBe(
      'du jeudi 24/12/2026 au samedi 02/01/2027',
    )
  })
})
