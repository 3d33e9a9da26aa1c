import { settleConflict } from '../contract/conflicts.ts'
import { lendCopy, returnCopy, returnLoan } from '../contract/loans.ts'

/** The calls that may wait in the outbox, by the name an entry carries for ever. */
export const waitingEndpoints = {
  [lendCopy.name]: lendCopy,
  [returnCopy.name]: returnCopy,
  [returnLoan.name]: returnLoan,
  [settleConflict.name]: settleConflict,
} as const

export type EndpointName = keyof typeof waitingEndpoints
