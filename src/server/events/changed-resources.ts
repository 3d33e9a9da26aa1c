import { changedWith } from '../../contract/changed-resources.ts'

/** Nobody is told who signs in, changes a password or reads what somebody borrowed. */
const isPrivate = (action: string) =>
  /^(session|password)\./.test(action) || action === 'beneficiaries.history_read'

type Line = { entity: string; action: string }

/** A person who is closed or signs out, a password that changes, a device that is sent away. */
export const mayEndSessions = ({ entity, action }: Line): boolean =>
  (entity === 'users' || entity === 'devices') && action !== 'session.open'

export function resourcesOf(lines: readonly Line[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => changedWith(entity))
  return [...new Set(touched)].sort()
}
