import { expect, it } from 'vitest'

import { choiceOf, choicesFor } from '../../src/domain/settle-choices.ts'

it.each(['RIGHT_MISSING', 'SITE_CLOSED', null] as const)(
  'offers nothing against a missing right (%s)',
  (reason) => {
    expect(choicesFor('lend', { code: 403, reason })).toEqual([])
    expect(choicesFor('return', { code: 403, reason })).toEqual([])
  },
)

it('offers nothing of its own where the refusal was told to another person', () => {
  expect(choicesFor('lend', { code: 409, reason: 'KEY_OF_ANOTHER' })).toEqual([])
  expect(choicesFor('return', { code: 409, reason: 'KEY_OF_ANOTHER' })).toEqual([])
})

it.each(['occurred_at', 'start_date', 'expected_return_date'])(
  'asks for the date when it is the %s that cannot be',
  (field) => {
    expect(choicesFor('lend', { code: 422, reason: null, fields: [field] })).toContain('DATE_LEND')
  },
)

it('offers the bounds before the clock where it is the bounds that a date passes', () => {
  expect(choicesFor('lend', { code: 422, reason: 'BEYOND_BOUNDS', fields: ['start_date'] })).toEqual([
    'LEND_WITHIN_BOUNDS',
    'OVERRIDE',
    'NOT_HANDED_OVER',
  ])
})

it.each(['copy', 'bar_code'])('asks for the copy when it is the %s that is none', (field) => {
  expect(choicesFor('lend', { code: 422, reason: null, fields: [field] })).toContain('LINK_LEND')
})

it('asks whoever may lend about a reserved copy, and a right against a refusal of the rules', () => {
  expect(choiceOf('LEND_DESPITE_RESERVATION').right).toBeNull()
  expect(choiceOf('OVERRIDE').right).toBe('LOANING_OVERRIDE')
})
