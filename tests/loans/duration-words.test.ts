import { expect, it } from 'vitest'

import { durationTypes, durationWords, unitsOf } from '../../src/domain/loan-rules.ts'

it('names durations as sentences say them, and units as file 1 writes them where one is chosen', () => {
  expect(durationWords({ duration_value: 1, duration_type: 'WEEK' })).toBe('1 semaine')
  expect(durationWords({ duration_value: 3, duration_type: 'WEEK' })).toBe('3 semaines')
  expect(durationWords({ duration_value: 2, duration_type: 'MONTH' })).toBe('2 mois')
  expect(durationWords({ duration_value: 1, duration_type: 'DAY' })).toBe('1 jour')
  expect(durationWords({ duration_value: 4, duration_type: 'CYCLE' })).toBe('4 cycles')
  expect(unitsOf('DAY')).toBe('jours')
  expect(Object.values(durationTypes)).toEqual(['Mois', 'Semaine(s)', 'Jour(s)', 'Cycle(s)'])
})
