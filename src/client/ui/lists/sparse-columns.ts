import type { ReactNode } from 'react'

import type { Column } from './table-row.tsx'

const isFilled = (content: ReactNode): boolean =>
  content !== '' && content !== '—' && content !== null && content !== undefined && content !== false

/** The keys of the sparse columns that no row fills, in one text, which is the same as long as they are; `sorted` is the order in force. */
export const keysUnfilled = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[] | undefined,
  sorted: string | undefined,
): string =>
  columns
    .filter(({ sparse, order, cell }) => {
      const isAsked = order !== undefined && order === sorted
      return sparse && !isAsked && !rows?.some((row) => isFilled(cell(row)))
    })
    .map(({ key }) => key)
    .join(' ')
