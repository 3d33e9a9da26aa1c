import type { Picked } from '../../contract/reservations.ts'

export type PickingRow = Picked & { is_done: boolean }

/**
 * What is to be fetched, and what was set aside from this screen, which keeps its place: nothing moves under the
 * eye of whoever walks along the shelves.
 */
export function rowsOfWalk(
  toFetch: readonly Picked[],
  done: ReadonlyMap<number, Picked>,
  before: readonly PickingRow[],
): PickingRow[] {
  const asked = new Set(toFetch.map(({ reservation }) => reservation))
  const rows = toFetch.map((row): PickingRow => ({ ...row, is_done: false }))
  const left = [...done.values()].filter(({ reservation }) => !asked.has(reservation))
  const placeOf = (one: Picked) => before.findIndex(({ reservation }) => reservation === one.reservation)
  for (const row of left.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const earlier = new Set(before.slice(0, Math.max(placeOf(row), 0)).map(({ reservation }) => reservation))
    const at = rows.findLastIndex(({ reservation }) => earlier.has(reservation))
    rows.splice(at + 1, 0, { ...row, is_done: true })
  }
  return rows
}

/** By shelf, in the order of the walk; by site too where there are several. */
export function shelvesOf(rows: readonly PickingRow[]): { key: string; name: string; rows: PickingRow[] }[] {
  const isSeveral = new Set(rows.map(({ site }) => site.id)).size > 1
  const shelves = new Map<string, { key: string; name: string; rows: PickingRow[] }>()
  for (const row of rows) {
    const key = `${isSeveral ? row.site.id : ''} ${row.location ?? ''}`
    const place = row.location ?? 'Sans emplacement'
    const shelf = shelves.get(key) ?? {
      key,
      name: isSeveral ? `${row.site.name}, ${place}` : place,
      rows: [],
    }
    shelf.rows.push(row)
    shelves.set(key, shelf)
  }
  return [...shelves.values()]
}
