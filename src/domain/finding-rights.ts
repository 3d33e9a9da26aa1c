import type { FindingAction } from './inventory.ts'
import type { Right } from './rights.ts'

/** What doing something about a finding asks for beside the inventory's own right. */
export const rightOfAction: Record<FindingAction, Right> = {
  unavailable: 'COPY_MODIFY',
  move: 'COPY_MODIFY',
  available: 'COPY_MODIFY',
  restore: 'COPY_MODIFY',
  withdraw: 'COPY_DELETE',
  return: 'LOANING_RETURN',
}
