import { changedWith } from '../../contract/changed-resources.ts'

/** Who signs in or changes a password is nobody's news. */
const isPrivate = (action: string) => /^(session|password)\./.test(action)

/** The resources that lines of the journal touch, each once. */
export function resourcesOf(lines: readonly { entity: string; action: string }[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => changedWith(entity))
  return [...new Set(touched)].sort()
}
