import type { Column } from './table-row.tsx'

/** The least that is left to what a row is about, in rem. */
const titleWidth = 12
const tickWidth = 2.75
const actionsWidth = 8.5
const usualWidth = 10

type Others = { canTick: boolean; hasActions: boolean }

/** Which columns give way after which: the first are never taken away. */
const rank = { main: 0, lasting: 1, day: 2, extra: 3 }
const rankOf = ({ role }: Pick<Column<never>, 'role'>): number => rank[role ?? 'day']

/** The columns that leave a title its room in a list so many rem wide. */
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
