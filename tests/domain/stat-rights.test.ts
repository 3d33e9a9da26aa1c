import { expect, it } from 'vitest'

import { anyStatRight, statRights } from '../../src/domain/stat-rights.ts'

it('anyStatRight has what opens some screen of statistics, and the right to names', () => {
  const opening = new Set<string>(Object.values(statRights).flat())
  expect(anyStatRight.toSorted()).toEqual([...opening, 'STATISTIC_LOANINGS_BENEFICIARY'].toSorted())
  expect(Object.values(statRights).every((rights) => rights.length > 0)).toBe(true)
})
