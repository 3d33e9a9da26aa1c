import { memo, type ReactNode } from 'react'

import { Cover } from './cover.tsx'
import styles from './resource-table.module.css'
import type { RowAction, RowKey } from './row-actions.ts'
import { RowButtons } from './row-buttons.tsx'
import { frenchNumber } from './words.ts'

export type Column<Row> = {
  key: string
  title: string
  /** A number is written as French writes it. */
  cell: (row: Row) => ReactNode
  /** Field of `order[field]`, where the column sorts. */
  order?: string
  /**
   * `main` heads the card on a phone; `extra` leaves the table where there is little room, and `lasting` after all others; a `day` is
   * never broken.
   */
  role?: 'main' | 'lasting' | 'extra' | 'day'
  align?: 'end'
  /** The medium of what the row is about, whose icon stands before it. */
  medium?: (row: Row) => string | null
  /** On a desktop, in rem; a column without shares what is left. */
  width?: number
}

/** What a row of a table may be asked, the same objects from one render to the next. */
export type RowWays<Row> = {
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  actions: readonly RowAction<Row>[] | undefined
  slots: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>, row: Row) => void
  onTick: ((key: RowKey, isRange: boolean) => void) | undefined
}

type TableRowProps<Row> = RowWays<Row> & {
  row: Row
  id: RowKey
  tone: 'bad' | 'wait' | undefined
  canBeTicked: boolean
  isTicked: boolean
  /** No longer in the list. */
  isGone: boolean
  /** Its detail is in sight. */
  isOpen: boolean
}

/** Drawn again only when its row changes, its tone, its tick, or how rows are drawn. */
export const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, columns, nameOf, actions, slots, onRun, onTick, tone, canBeTicked, isTicked, isGone } =
    props
  const { isOpen } = props
  return (
    <tr
      data-tone={tone}
      data-ticked={isTicked || undefined}
      data-gone={isGone || undefined}
      aria-current={isOpen || undefined}
    >
      {onTick ? (
        <td data-role="select" onMouseDown={keepText}>
          {canBeTicked ? (
            <label className={styles['tick']}>
              <input
                type="checkbox"
                aria-label={`Choisir\u202f: ${nameOf(row)}`}
                checked={isTicked}
                onChange={({ nativeEvent }) => onTick(id, (nativeEvent as MouseEvent).shiftKey)}
              />
            </label>
          ) : null}
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.key}
          data-title={column.title}
          data-role={column.role}
          data-align={column.align}
          data-cover={column.medium ? true : undefined}
        >
          {column.medium ? <Cover medium={column.medium(row)} /> : null}
          {written(column.cell(row))}
        </td>
      ))}
      {actions ? (
        <td data-role="actions">
          {isGone ? (
            <span className={styles['gone']}>Retiré</span>
          ) : (
            <RowButtons row={row} name={nameOf(row)} actions={actions} slots={slots} onRun={onRun} />
          )}
        </td>
      ) : null}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

/** A cell's content, as French writes it. */
export const written = (content: ReactNode): ReactNode =>
  typeof content === 'number' ? frenchNumber(content) : content

/** A range is ticked with Shift, which would choose the text between. */
const keepText = (event: React.MouseEvent) => {
  if (event.shiftKey) event.preventDefault()
}
