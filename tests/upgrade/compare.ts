import type { Told } from './told.ts'

type Fact = { path: string; before: unknown; after: unknown }

/** What today's version tells otherwise, and why that is the same fact. */
const toldOtherwise: readonly {
  path: RegExp
  why: string
  isSame(before: unknown, after: unknown): boolean
}[] = [
  {
    path: /\.version$/,
    why: 'a version is a transaction of its database',
    isSame: (before, after) => typeof before === typeof after,
  },
  {
    path: /\/api\/snapshot\.(cursor|server_time)$/,
    why: 'a cursor is of one database and one moment',
    isSame: (_, after) => typeof after === 'string',
  },
]

/** What the former version told and today’s does not tell the same. */
export function differences(before: Told, after: Told): Fact[] {
  const found: Fact[] = []
  compare(before, after, '', found)
  return found.filter(
    (fact) =>
      !toldOtherwise.some(({ path, isSame }) => path.test(fact.path) && isSame(fact.before, fact.after)),
  )
}

function compare(before: unknown, after: unknown, path: string, found: Fact[]): void {
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path, found)
  if (isRecord(before) && isRecord(after)) {
    for (const [key, value] of Object.entries(before)) compare(value, after[key], `${path}.${key}`, found)
    // What this person was not to see stays unseen.
    for (const key of ['email', 'phone', 'address'])
      if (key in after && !(key in before))
        found.push({ path: `${path}.${key}`, before: undefined, after: after[key] })
    return
  }
  if (before !== after) found.push({ path, before, after })
}

/** Members are found by what they are, so that one more is not taken for another; those that were there keep their order. */
function compareLists(before: unknown[], after: unknown[], path: string, found: Fact[]): void {
  const names = (list: unknown[]) =>
    list.map((member, at) => (isRecord(member) ? (member['id'] ?? at) : member))
  const [were, are] = [names(before), names(after)]
  const kept = are.filter((name) => were.includes(name))
  if (JSON.stringify(kept) !== JSON.stringify(were))
    found.push({ path: `${path} (order)`, before: were, after: are })
  for (const [at, name] of were.entries())
    compare(before[at], after[are.indexOf(name)], `${path}.${String(name)}`, found)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
