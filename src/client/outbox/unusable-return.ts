import type { ReturnedLoan } from '../../contract/returns.ts'
import type { Entry } from '../../offline/entry.ts'

/** The copy that this return leaves off the shelf, null before the server told which; undefined for any other. */
export function copyLeftUnusable(entry: Entry): number | null | undefined {
  if (entry.label.kind !== 'return' || entry.state === 'set_aside') return undefined
  const receipt = entry.state === 'done' ? (entry.receipt as Partial<ReturnedLoan> | null) : null
  const state = receipt?.copy_state ?? entry.body['state']
  return state === 'UNUSABLE' ? (receipt?.copy ?? null) : undefined
}
