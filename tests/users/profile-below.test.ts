import { describe, expect, it } from 'vitest'

import { profileBelow } from '../../src/client/users/profile-below.ts'
import type { Profile } from '../../src/contract/profiles.ts'

const profile = (id: number, ...rights: Profile['rights']) => ({ id, rights }) as Profile

describe('the profile that another is told apart from', () => {
  const reading = profile(1, 'LIST_LOANINGS')
  const lending = profile(2, 'LIST_LOANINGS', 'LOANING_ADD')
  const selling = profile(3, 'LIST_SELL', 'LOANING_SELL')
  const all = profile(4, 'LIST_LOANINGS', 'LOANING_ADD', 'LIST_SELL')

  it('is the most alike of those with no more rights', () => {
    expect(profileBelow(all, [reading, lending, selling, all])).toBe(lending)
    expect(profileBelow(lending, [all, reading, selling, lending])).toBe(reading)
  })

  it('is the most alike above for the lowest, and none for the only one', () => {
    expect(profileBelow(reading, [all, lending, selling, reading])).toBe(lending)
    expect(profileBelow(reading, [reading])).toBeNull()
  })
})
