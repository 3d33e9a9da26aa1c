import { type Entry, isRefused, isUnsettled, senderOf } from './entry.ts'

type Placed = Pick<Entry, 'seq' | 'place'>

const placeOf = ({ seq, place }: Placed): number => place ?? seq

/** Oldest action first; a new try keeps the place of the first. */
export const inDeviceOrder = (one: Placed, other: Placed): number =>
  placeOf(one) - placeOf(other) || one.seq - other.seq

/** Two entries that share one of these keys are about the same copy. */
export const copyKeysOf = ({
  copy_id,
  bar_code,
}: {
  copy_id: number | null
  bar_code: string | null
}): string[] => [
  ...(copy_id === null ? [] : [`id ${copy_id}`]),
  ...(bar_code === null ? [] : [`code ${bar_code}`]),
]

/** Ids of entries held back by an earlier one that needs a person, is held back, or is another person's. */
export function heldBack(entries: readonly Entry[]): Set<string> {
  const unsettled = entries.filter(isUnsettled).sort(inDeviceOrder)
  const present = new Set(unsettled.map(({ id }) => id))
  const passed = new Map<string, Entry>()
  const lastOfCopy = new Map<string, Entry>()
  const held = new Set<string>()
  const stops = (before: Entry, entry: Entry) =>
    isRefused(before) || held.has(before.id) || senderOf(before) !== senderOf(entry)

  for (const entry of unsettled) {
    const dependsOnLater =
      entry.depends_on !== null && present.has(entry.depends_on) && !passed.has(entry.depends_on)
    const before = [
      entry.depends_on === null ? undefined : passed.get(entry.depends_on),
      ...copyKeysOf(entry).map((key) => lastOfCopy.get(key)),
    ].filter((earlier) => earlier !== undefined)
    if (dependsOnLater || before.some((earlier) => stops(earlier, entry))) held.add(entry.id)
    passed.set(entry.id, entry)
    // Its dependency comes later in the queue, so this entry must not hold that one back in turn.
    if (dependsOnLater) continue
    for (const key of copyKeysOf(entry)) lastOfCopy.set(key, entry)
  }
  return held
}
