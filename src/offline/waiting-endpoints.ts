import { settleConflict } from '../contract/conflicts.ts'
import { lendCopy } from '../contract/loans.ts'
import { returnCopy, returnLoan } from '../contract/returns.ts'

/** Entries carry these names for ever. */
export const waitingEndpoints = {
  [lendCopy.name]: lendCopy,
  [returnCopy.name]: returnCopy,
  [returnLoan.name]: returnLoan,
  [settleConflict.name]: settleConflict,
} as const

export type EndpointName = keyof typeof waitingEndpoints
