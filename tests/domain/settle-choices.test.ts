import { describe, expect, it } from 'vitest'

import { type SettleChoice, settleChoiceCodes } from '../../src/domain/settle-choice-codes.ts'
import { choiceOf, choicesFor, type SettledKind } from '../../src/domain/settle-choices.ts'

type Refused = Parameters<typeof choicesFor>[1]

describe('choicesFor', () => {
  const reasons: [SettledKind, Refused['reason'], SettleChoice[]][] = [
    ['lend', 'ALREADY_LENT_TO_SAME', ['ALREADY_RECORDED']],
    ['lend', 'ALREADY_LENT', ['CLOSE_AND_LEND', 'NOT_HANDED_OVER']],
    ['lend', 'NEWER_LOAN', ['NOT_HANDED_OVER']],
    ['lend', 'RESERVED', ['SET_ASIDE_FOR_READER', 'LEND_DESPITE_RESERVATION']],
    ['lend', 'NOT_ELIGIBLE', ['OVERRIDE', 'RECALL', 'NOT_HANDED_OVER']],
    ['lend', 'BEYOND_BOUNDS', ['LEND_WITHIN_BOUNDS', 'OVERRIDE', 'NOT_HANDED_OVER']],
    ['lend', 'COPY_WITHDRAWN', ['LINK_LEND', 'NOT_HANDED_OVER']],
    ['lend', 'COPY_UNAVAILABLE', ['LINK_LEND', 'NOT_HANDED_OVER']],
    ['lend', 'COPY_UNKNOWN', ['LINK_LEND', 'NOT_HANDED_OVER']],
    ['lend', 'READER_UNKNOWN', ['LINK_READER', 'NOT_HANDED_OVER']],
    ['lend', 'CLOCK_OFF', ['DATE_LEND', 'NOT_HANDED_OVER']],
    ['lend', 'WRONG_STATUS', ['NOT_HANDED_OVER']],
    ['lend', null, ['NOT_HANDED_OVER']],
    ['return', 'NO_OPEN_LOAN', ['SEEN_ON_SHELF', 'IGNORE']],
    ['return', 'LOAN_CANCELLED', ['SEEN_ON_SHELF', 'IGNORE']],
    ['return', 'LOAN_NOT_MADE', ['RETURN_FOR_HOLDER', 'SEEN_ON_SHELF', 'IGNORE']],
    ['return', 'ALREADY_RETURNED', ['ALREADY_RECORDED']],
    ['return', 'NEWER_LOAN', ['KEEP_NEWER']],
    ['return', 'COPY_UNKNOWN', ['LINK_RETURN', 'RECORD_UNKNOWN_RETURN']],
    ['return', 'COPY_WITHDRAWN', ['LINK_RETURN', 'RECORD_UNKNOWN_RETURN']],
    ['return', 'CLOCK_OFF', ['DATE_RETURN', 'IGNORE']],
    ['return', 'WRONG_STATUS', ['IGNORE']],
    ['return', null, ['IGNORE']],
  ]

  it.each(reasons)('to %s, against %s, are %j', (kind, reason, choices) => {
    expect(choicesFor(kind, { code: 409, reason })).toEqual(choices)
  })

  it.each(['RIGHT_MISSING', 'SITE_CLOSED', null, 'ALREADY_LENT', 'NO_OPEN_LOAN'] as const)(
    'are none where a right is missing (%s)',
    (reason) => {
      expect(choicesFor('lend', { code: 403, reason })).toEqual([])
      expect(choicesFor('return', { code: 403, reason })).toEqual([])
    },
  )

  it('are none where the refusal was told to another person', () => {
    expect(choicesFor('lend', { code: 409, reason: 'KEY_OF_ANOTHER' })).toEqual([])
    expect(choicesFor('return', { code: 409, reason: 'KEY_OF_ANOTHER' })).toEqual([])
  })

  it.each(['occurred_at', 'start_date', 'expected_return_date'])(
    'ask for the date where it is the %s that cannot be, beside other fields too',
    (field) => {
      const refused = { code: 422, reason: null, fields: ['comment', field] }
      expect(choicesFor('lend', refused)).toEqual(['DATE_LEND', 'NOT_HANDED_OVER'])
      expect(choicesFor('return', refused)).toEqual(['DATE_RETURN', 'IGNORE'])
    },
  )

  it.each(['copy', 'bar_code'])('ask for the copy to lend where it is the %s that is none', (field) => {
    const refused = { code: 422, reason: null, fields: ['comment', field] }
    expect(choicesFor('lend', refused)).toEqual(['LINK_LEND', 'NOT_HANDED_OVER'])
    expect(choicesFor('return', refused)).toEqual(['IGNORE'])
  })

  it.each(['beneficiary', 'beneficiary_code'])(
    'ask for the reader where it is the %s that is none',
    (field) => {
      const refused = { code: 422, reason: null, fields: ['comment', field] }
      expect(choicesFor('lend', refused)).toEqual(['LINK_READER', 'NOT_HANDED_OVER'])
      expect(choicesFor('return', refused)).toEqual(['IGNORE'])
    },
  )

  it('leave what is not handed over where another field is refused', () => {
    expect(choicesFor('lend', { code: 422, reason: null, fields: ['comment'] })).toEqual(['NOT_HANDED_OVER'])
  })

  it('follow the bounds before the clock where it is the bounds that a date passes', () => {
    expect(choicesFor('lend', { code: 422, reason: 'BEYOND_BOUNDS', fields: ['start_date'] })).toEqual([
      'LEND_WITHIN_BOUNDS',
      'OVERRIDE',
      'NOT_HANDED_OVER',
    ])
  })

  it('offer each choice somewhere', () => {
    const offered = reasons.flatMap(([, , choices]) => choices)
    expect([...new Set(offered)].toSorted()).toEqual(settleChoiceCodes.toSorted())
  })
})

describe('choiceOf', () => {
  it('asks whoever may lend about a reserved copy, and a right against a refusal of the rules', () => {
    expect(choiceOf('LEND_DESPITE_RESERVATION').right).toBeNull()
    expect(choiceOf('OVERRIDE').right).toBe('LOANING_OVERRIDE')
    expect(choiceOf('CLOSE_AND_LEND').right).toBe('LOANING_RETURN')
  })

  it.each([
    ['lend', ['CLOSE_AND_LEND', 'LEND_DESPITE_RESERVATION', 'OVERRIDE', 'LEND_WITHIN_BOUNDS', 'RECALL']],
    ['lend', ['LINK_LEND', 'LINK_READER', 'DATE_LEND']],
    ['return', ['RETURN_FOR_HOLDER', 'LINK_RETURN', 'DATE_RETURN']],
    ['note', ['ALREADY_RECORDED', 'NOT_HANDED_OVER', 'SEEN_ON_SHELF', 'IGNORE', 'KEEP_NEWER']],
    ['note', ['SET_ASIDE_FOR_READER', 'RECORD_UNKNOWN_RETURN']],
  ] as const)('does what it says (%s): %j', (effect, codes) => {
    expect(codes.map((code) => choiceOf(code).effect)).toEqual(codes.map(() => effect))
  })

  it('needs the motive, the code or the instant that its name asks for, and no other anything', () => {
    const needs = settleChoiceCodes.flatMap((code) => {
      const { need } = choiceOf(code)
      return need === null ? [] : [[code, need]]
    })
    expect(Object.fromEntries(needs)).toEqual({
      OVERRIDE: 'motive',
      LINK_LEND: 'bar_code',
      LINK_READER: 'beneficiary_code',
      LINK_RETURN: 'bar_code',
      DATE_LEND: 'instant',
      DATE_RETURN: 'instant',
    })
  })
})
