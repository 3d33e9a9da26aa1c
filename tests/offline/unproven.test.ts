import { expect, it } from 'vitest'

import type { EntryState, Problem } from '../../src/offline/entry.ts'
import { isLost, isToConfirm } from '../../src/offline/unproven.ts'

const problem = (reason: Problem['reason']): Problem => ({ code: 0, reason, message: '', facts: null })

it.each<[EntryState, Problem['reason'], boolean]>([
  ['conflict', 'SEAL_BROKEN', true],
  ['conflict', 'SEAL_UNKNOWN', true],
  ['conflict', 'SEAL_REVOKED', true],
  ['conflict', 'IMPORTED', true],
  ['conflict', 'RECEIPT_LOST', true],
  ['conflict', 'UNSEALED', true],
  ['conflict', 'ALREADY_LENT', false],
  ['conflict', null, false],
  ['queued', 'UNSEALED', false],
  ['quarantined', 'RECEIPT_LOST', false],
])('isToConfirm says of what is %s for %s: %s', (state, reason, is) => {
  expect(isToConfirm({ state, problem: problem(reason) })).toBe(is)
})

it('isToConfirm says no of a conflict without a word', () => {
  expect(isToConfirm({ state: 'conflict', problem: null })).toBe(false)
})

it('isLost knows what the database no longer has', () => {
  expect([problem('RECEIPT_LOST'), problem('UNSEALED'), null].map((one) => isLost({ problem: one }))).toEqual(
    [true, false, false],
  )
})
