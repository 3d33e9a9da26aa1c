import { desktopRem, tabletRem } from './column-widths.ts'
import type { Column } from './table-row.tsx'

/** In rem, for what a row is about; what goes first leaves it more, so that a title is read before an author's name. */
const titleWidth = { desktop: { least: 11, ample: 18 }, tablet: { least: 9, ample: 9 } }

/** For words that wrap. */
const narrowest = 6

/** The highest go first, and rank 0 never goes. */
const rank = { main: 0, lasting: 1, day: 2, extra: 3 }
const rankOf = ({ role }: Pick<Column<never>, 'role'>): number => rank[role ?? 'day']

type Room = {
  /** All that the table has, and what boxes and buttons take of it, in rem. */
  room: number
  taken: number
  isTablet?: boolean
}

/**
 * The columns that are read whole in a table of this width; the others give way, the least needed first. One that may be cut (`least`)
 * stands cut, after those that last, rather than not at all.
 */
export function fittingColumns<Row>(columns: readonly Column<Row>[], room: Room): readonly Column<Row>[] {
  const { kept } = choose(columns, room)
  const whole = columns.filter((column) => kept.has(column))
  const cut = columns.find((column) => column.least !== undefined && !kept.has(column))
  if (cut?.least === undefined) return whole
  const narrow: Column<Row> = { ...cut, role: 'lasting', width: cut.least }
  const others = columns.filter((column) => column !== cut)
  const { kept: keptBeside, left } = choose([...others, narrow], room)
  if (!keptBeside.has(narrow)) return whole
  const shown = { ...narrow, width: Math.min(cut.width ?? Infinity, cut.least + left) }
  return columns.flatMap((column) => (column === cut ? shown : keptBeside.has(column) ? column : []))
}

function choose<Row>(columns: readonly Column<Row>[], { room, taken, isTablet = false }: Room) {
  const { least, ample: titles } = titleWidth[isTablet ? 'tablet' : 'desktop']
  const ample = columns.find(({ role }) => role === 'main')?.ample ?? titles
  let left = room - least - taken
  const kept = new Set<Column<Row>>()
  for (const column of columns.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const own = isTablet ? (tabletRem(column) ?? narrowest) : (desktopRem(column) ?? 10)
    const width = column.role === 'main' ? 0 : own
    const free = column.role === 'extra' ? left + least - ample : left
    if (width > free && column.role !== 'main') continue
    kept.add(column)
    left -= width
  }
  return { kept, left }
}

/** How a table of this width chooses among its columns; the same function as long as the width is. */
export function fitTo(room: number): Fit {
  const known = fits.get(room)
  if (known) return known
  const fit: Fit = (columns, how) => fittingColumns(columns, { room, ...how })
  fits.set(room, fit)
  return fit
}

export type Fit = <Row>(columns: readonly Column<Row>[], how: Omit<Room, 'room'>) => readonly Column<Row>[]
const fits = new Map<number, Fit>()
