import { describe, expect, it } from 'vitest'

import type { Entry } from '../../src/offline/entry.ts'
import {
  answersBefore,
  refusedActionOf,
  refusedKindOf,
  rootOf,
  seenLoanOf,
} from '../../src/offline/refused-action.ts'

const entry = (changes: Partial<Entry>): Entry =>
  ({ id: 'a', params: {}, body: {}, frozen_body: '{"copy":1}', problem: null, ...changes }) as Entry

const lend = entry({ endpoint: 'loanings.lend' })
const back = entry({ endpoint: 'loanings.return_copy', frozen_body: '{"bar_code":"1001"}' })
const backOfLoan = entry({ endpoint: 'loanings.return', params: { id: '12' }, frozen_body: '{}' })
const choice = entry({
  endpoint: 'conflicts.settle',
  body: {
    resolves: 'racine',
    action: { endpoint: 'loanings.lend', body: { copy: 1 } },
    reason: 'RESERVED',
    choice: 'LEND_DESPITE_RESERVATION',
    refused: 'b',
    earlier: [{ choice: 'CLOSE_AND_LEND' }],
  },
})

it('refusedActionOf tells the action as it was sent, or that of the choice before', () => {
  expect(refusedActionOf(lend)).toEqual({ endpoint: 'loanings.lend', body: { copy: 1 } })
  expect(refusedActionOf(back)).toEqual({ endpoint: 'loanings.return_copy', body: { bar_code: '1001' } })
  expect(refusedActionOf(backOfLoan)).toEqual({ endpoint: 'loanings.return', loaning: 12, body: {} })
  expect(refusedActionOf(choice)).toEqual({ endpoint: 'loanings.lend', body: { copy: 1 } })
})

it('refusedKindOf tells a loan from a return, also behind a choice', () => {
  expect([lend, back, backOfLoan, choice].map(refusedKindOf)).toEqual(['lend', 'return', 'return', 'lend'])
})

it('rootOf names the action that was refused first', () => {
  expect([lend, choice].map(rootOf)).toEqual(['a', 'racine'])
})

describe('answersBefore', () => {
  it('is none before the first choice', () => {
    expect(answersBefore(lend)).toEqual([])
  })

  it('tells each choice that was refused, oldest first, without what they share', () => {
    expect(answersBefore(choice)).toEqual([
      { choice: 'CLOSE_AND_LEND' },
      { choice: 'LEND_DESPITE_RESERVATION', refused: 'b' },
    ])
    const first = entry({ endpoint: 'conflicts.settle', body: { resolves: 'racine', choice: 'OVERRIDE' } })
    expect(answersBefore(first)).toEqual([{ choice: 'OVERRIDE' }])
  })
})

it('seenLoanOf names the loan that the person was shown, where there was one', () => {
  const problem = { code: 409, reason: null, message: '' }
  expect(seenLoanOf(lend)).toBeNull()
  expect(seenLoanOf(entry({ problem: { ...problem, facts: null } }))).toBeNull()
  expect(seenLoanOf(entry({ problem: { ...problem, facts: { loaning: {} } } }))).toBeNull()
  expect(seenLoanOf(entry({ problem: { ...problem, facts: { loaning: { id: 7 } } } }))).toBe(7)
})
