import { changedWith } from '../../contract/changed-resources.ts'

/** Nobody is told who signs in or changes a password. */
const isPrivate = (action: string) => /^(session|password)\./.test(action)

export function resourcesOf(lines: readonly { entity: string; action: string }[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => changedWith(entity))
  return [...new Set(touched)].sort()
}
