import type { Column } from './table-row.tsx'

/** In rem, for what a row is about. */
const titleWidth = 12
const tickWidth = 2.75
const actionsWidth = 8.5
const usualWidth = 10

type Others = { canTick: boolean; hasActions: boolean }

/** The highest go first, and rank 0 never goes. */
const rank = { main: 0, lasting: 1, day: 2, extra: 3 }
const rankOf = ({ role }: Pick<Column<never>, 'role'>): number => rank[role ?? 'day']

export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  room: number,
  { canTick, hasActions }: Others,
): readonly Column<Row>[] {
  let left = room - titleWidth - (canTick ? tickWidth : 0) - (hasActions ? actionsWidth : 0)
  const kept = new Set<Column<Row>>()
  for (const column of columns.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const width = column.role === 'main' ? 0 : (column.width ?? usualWidth)
    if (width > left && column.role !== 'main') continue
    kept.add(column)
    left -= width
  }
  return columns.filter((column) => kept.has(column))
}
