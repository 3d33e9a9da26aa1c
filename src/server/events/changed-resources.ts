import { changedWith } from '../../contract/changed-resources.ts'

/** Nobody is told who signs in, changes a password or reads what somebody borrowed. */
const isPrivate = (action: string) =>
  /^(session|password)\./.test(action) || action === 'beneficiaries.history_read'

export function resourcesOf(lines: readonly { entity: string; action: string }[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => changedWith(entity))
  return [...new Set(touched)].sort()
}
