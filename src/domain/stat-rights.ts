import type { Right } from './rights.ts'

// What opens each screen of statistics.

const movements = ['STATISTIC_EXITSDAY', 'STATISTIC_RETURNSDAY'] as const

export const statRights = {
  activity: movements,
  references: ['STATISTIC_REFERENCE'],
  beneficiaries: ['STATISTIC_BENEFICIARIES'],
  loanings: ['STATISTIC_LOANINGS'],
  active: ['STATISTIC_LOANINGS', ...movements],
  yearly: ['STATISTIC_REFERENCE', 'STATISTIC_BENEFICIARIES', 'STATISTIC_LOANINGS'],
} as const satisfies Record<string, readonly Right[]>

/** The menu of them opens by any, and by the right to the names that one of them tells. */
export const anyStatRight: readonly Right[] = [
  ...movements,
  'STATISTIC_REFERENCE',
  'STATISTIC_BENEFICIARIES',
  'STATISTIC_LOANINGS',
  'STATISTIC_LOANINGS_BENEFICIARY',
]
