import { type Entry, isUnsettled, senderOf } from './entry.ts'

type Placed = Pick<Entry, 'seq' | 'place'>

const placeOf = ({ seq, place }: Placed): number => place ?? seq

/** The device's order: what was done first is sent first; a new try keeps the place of the first one. */
export const inDeviceOrder = (one: Placed, other: Placed): number =>
  placeOf(one) - placeOf(other) || one.seq - other.seq

/** The names under which two entries are known to be about the same copy. */
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

/**
 * Which of these unsettled entries may not be sent yet (their ids): an earlier one of the same copy, or the one they depend on, is
 * before a person, is held back itself, or is another person's to send. What is merely queued before them goes first by order.
 */
export function heldBack(entries: readonly Entry[]): Set<string> {
  const unsettled = entries.filter(isUnsettled).sort(inDeviceOrder)
  const present = new Set(unsettled.map(({ id }) => id))
  const passed = new Map<string, Entry>()
  const lastOfCopy = new Map<string, Entry>()
  const held = new Set<string>()
  const stops = (before: Entry, entry: Entry) =>
    before.state === 'conflict' ||
    before.state === 'quarantined' ||
    held.has(before.id) ||
    senderOf(before) !== senderOf(entry)

  for (const entry of unsettled) {
    const dependsOnLater =
      entry.depends_on !== null && present.has(entry.depends_on) && !passed.has(entry.depends_on)
    const before = [
      entry.depends_on === null ? undefined : passed.get(entry.depends_on),
      ...copyKeysOf(entry).map((key) => lastOfCopy.get(key)),
    ].filter((earlier) => earlier !== undefined)
    if (dependsOnLater || before.some((earlier) => stops(earlier, entry))) held.add(entry.id)
    passed.set(entry.id, entry)
    // What it follows comes after it: it must not stand in that one's way too.
    if (dependsOnLater) continue
    for (const key of copyKeysOf(entry)) lastOfCopy.set(key, entry)
  }
  return held
}
