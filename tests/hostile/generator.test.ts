import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'

import { settleConflict } from '../../src/contract/conflicts.ts'
import { hostileRequests } from './hostile-request.ts'
import { objectsFor } from './valid-values.ts'

// What is never generated is never tried, and no other test would tell.

const drawn = fc.sample(hostileRequests(settleConflict), { numRuns: 2000, seed: 1 })

describe('hostileRequests', () => {
  it('makes conflicts of each kind of action that its own schema takes', () => {
    const bodies = fc.sample(objectsFor(settleConflict.body.entries), { numRuns: 500, seed: 1 })
    const taken = bodies.flatMap((body) => {
      const parsed = v.safeParse(settleConflict.body, JSON.parse(JSON.stringify(body)))
      return parsed.success ? [parsed.output.action.endpoint] : []
    })
    expect([...new Set(taken)].sort()).toEqual(['loanings.lend', 'loanings.return', 'loanings.return_copy'])
  })

  it('puts fields that are not known within objects too', () => {
    expect(drawn.some(({ body, hasUnknown }) => hasUnknown && /"action":\{"couleur":/.test(body ?? ''))).toBe(
      true,
    )
  })
})
