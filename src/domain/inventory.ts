import type { CopyStatus } from './loan-rules.ts'

/** What one scan says of a copy, to whoever holds it. */
export const scanVerdicts = ['found', 'elsewhere', 'lent', 'withdrawn', 'unknown', 'already'] as const
export type ScanVerdict = (typeof scanVerdicts)[number]

/** Of a copy, what an inventory asks about. `location` is null where none is kept. */
export type CountedCopy = {
  site: number
  location: number | null
  status: CopyStatus
  /** No longer in the stock. */
  deleted: boolean
}

type Counting = {
  site: number
  /** Places that are counted; none says all. */
  locations: readonly number[]
}

type Seen = {
  /** Null when nobody's label says the code. */
  copy: CountedCopy | null
  /** It was counted before in this inventory, by whoever. */
  isCounted: boolean
  /** The shelf whose label was scanned last, or null before the first. */
  shelf: number | null
}

/** The same on a phone without a network and on the server, so that nobody is told two things. */
export function judgeScan({ copy, isCounted, shelf }: Seen, { site, locations }: Counting): ScanVerdict {
  if (copy === null) return 'unknown'
  if (isCounted) return 'already'
  if (copy.deleted) return 'withdrawn'
  if (copy.status === 'En Location') return 'lent'
  if (copy.site !== site) return 'elsewhere'
  // A copy that has no place yet is at home on the shelf it was found on.
  if (copy.location === null) return 'found'
  if (shelf !== null) return copy.location === shelf ? 'found' : 'elsewhere'
  return locations.length === 0 || locations.includes(copy.location) ? 'found' : 'elsewhere'
}

/** What a review sets before a person, and what may be done about it. */
export const findingGroups = [
  'missing',
  'misplaced',
  'on_shelf',
  'found_again',
  'withdrawn',
  'unknown',
] as const
export type FindingGroup = (typeof findingGroups)[number]

/** By group; what is left alone is not named. */
export const findingActions = {
  /** Not seen: kept from being lent, or taken out of the stock. */
  missing: ['unavailable', 'withdraw'],
  /** Seen on another shelf than its own: that shelf becomes its place. */
  misplaced: ['move'],
  /** On loan, and seen on a shelf: its loan ends when it was seen. */
  on_shelf: ['return'],
  /** Kept from being lent, and seen. */
  found_again: ['available'],
  /** Out of the stock, and seen: it comes back. */
  withdrawn: ['restore'],
  /** Nobody's label: a person adds the copy, or puts it aside. */
  unknown: [],
} as const satisfies Record<FindingGroup, readonly string[]>

export type FindingAction = (typeof findingActions)[FindingGroup][number]

export const findingActionCodes = Object.values(findingActions).flat() as [FindingAction, ...FindingAction[]]

export const findingGroupWords: Record<FindingGroup, string> = {
  missing: 'Absent',
  misplaced: 'Mal rangé',
  on_shelf: 'En rayon, en prêt',
  found_again: 'Retrouvé',
  withdrawn: 'Retiré du fonds',
  unknown: 'Inconnu',
}

/** What was done, as a report tells it. */
export const findingActionWords: Record<FindingAction, string> = {
  unavailable: 'Rendu indisponible',
  withdraw: 'Retiré du fonds',
  move: 'Rangé où il a été vu',
  return: 'Rendu',
  available: 'Rendu disponible',
  restore: 'Remis dans le fonds',
}
