import type { Column } from './table-row.tsx'

/** What a desktop gives to a column, in rem; null where it shares the rest. */
export const desktopRem = <Row>({ width, role, align }: Column<Row>): number | null => {
  if (width !== undefined) return width
  if (role === 'day') return 10
  return align === 'end' ? 8 : null
}

/** What a tablet gives to a column whose words do not wrap, in rem; null where they do. */
export const tabletRem = <Row>({ width, role, align }: Column<Row>): number | null => {
  if (role === 'main') return null
  if (width !== undefined) return width <= 11 ? width : null
  if (role === 'day') return 10
  return align === 'end' ? 7.5 : null
}
