import type { Told } from './told.ts'

type Fact = { path: string; before: unknown; after: unknown }

/** What today's version tells otherwise, and why that is the same fact. */
const toldOtherwise: readonly {
  path: RegExp
  why: string
  isSame(before: unknown, after: unknown, names: ReadonlyMap<unknown, string>): boolean
}[] = [
  {
    path: /\.(lent_by|returned_by)$/,
    why: 'a person is told by first name and name, no longer by the name they sign in with',
    isSame: (before, after, names) => names.get(before) === after,
  },
  {
    path: /\.relatives?(\.\d+)?\.(name|text)$/,
    why: 'the first name comes first, as for readers',
    isSame: (before, after) => wordsOf(before) === wordsOf(after),
  },
  {
    path: /\/api\/(parameters|translations)\?.*\.hydra:totalItems$/,
    why: 'a new version brings parameters and words of its own beside those that are there',
    isSame: (before, after) => Number(after) > Number(before),
  },
  {
    path: /\/api\/(copies|references).*\.location$/,
    why: 'a place is told with its id, beside its words',
    isSame: (before, after) => isRecord(after) && after['label'] === before,
  },
  {
    path: /\.bar_codes_configuration\.firstValue$/,
    why: 'the first number of a site is a text, which keeps the zeros before it (migration 0022)',
    isSame: (before, after) => String(before) === after,
  },
  {
    path: /\.reservations\.\d+\.queue_position$/,
    why: 'a place counts those who still wait, no longer those who were served (migration 0043)',
    isSame: (before, after) => Number(after) >= 1 && Number(after) < Number(before),
  },
  {
    path: /\/api\/eligibility\?.*\.message$/,
    why: 'the reader is called by the house’s word (decision 0050)',
    isSame: (before, after) => String(before).replace('Le bénéficiaire', 'Le lecteur') === after,
  },
  {
    path: /\/api\/snapshot\.(cursor|server_time)$/,
    why: 'a cursor is of one database and one moment',
    isSame: (_, after) => typeof after === 'string',
  },
]

const wordsOf = (name: unknown) => String(name).split(' ').sort().join(' ')

/** What the former version told and today’s does not tell the same. */
export function differences(before: Told, after: Told): Fact[] {
  const found: Fact[] = []
  const names = namesIn(before)
  compare(before, after, '', found)
  return found.filter(
    (fact) =>
      !toldOtherwise.some(
        ({ path, isSame }) => path.test(fact.path) && isSame(fact.before, fact.after, names),
      ),
  )
}

/** « biblio » is « Hélène Castaing ». */
function namesIn(told: Told): Map<unknown, string> {
  const people = Object.entries(told).flatMap(([path, person]) =>
    path.endsWith('/api/users/me') ? [person] : [],
  )
  return new Map(
    people.flatMap((person) =>
      isRecord(person)
        ? [[person['username'], `${String(person['firstname'])} ${String(person['lastname'])}`]]
        : [],
    ),
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
