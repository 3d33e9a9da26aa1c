import { VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode } from 'react'

import { frenchNumber } from '../../../domain/french-number.ts'
import lines from './phone-lines.module.css'
import styles from './resource-table.module.css'
import type { RowAction, RowKey } from './row-actions.ts'
import { RowButtons } from './row-buttons.tsx'

export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  order?: string
  /** `main` heads a card, `extra` goes first where room is short and `lasting` last, a `day` never breaks. */
  role?: 'main' | 'lasting' | 'extra' | 'day'
  align?: 'end'
  /** The cover or the initials before its words. */
  face?: (row: Row) => ReactNode
  /** Of a `main` one: what is asked about the row, under its title, which is cut after two lines. */
  below?: (row: Row) => ReactNode
  /**
   * Drawn only where a row in sight has something in it. Never of a column that the specification names: whoever looks for it finds it
   * empty rather than not at all.
   */
  sparse?: true
  /** In rem on a desktop; columns without it share the rest. */
  width?: number
  /** In rem on a desktop: where its width has no room, it is cut to no less than this, and wins over all but what lasts. */
  least?: number
  /**
   * Its place in the two lines that a row is on a phone: `state` and `when` end them, `who` is under the title; `below` has lines of its
   * own. A list that gives no column a place has cards there.
   */
  phone?: 'who' | 'when' | 'state' | 'below'
  /** The cell of a phone's row, if it is another: a whole name, a day without its hour. */
  onPhone?: (row: Row) => ReactNode
  /** Of a `main` one, in rem: how wide it is to be before an `extra` one stands; a title's where it is not said. */
  ample?: number
}

/** Keep the objects from one render to the next. */
export type RowWays<Row> = {
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  actions: readonly RowAction<Row>[] | undefined
  slots: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>, row: Row) => void
  onTick: ((key: RowKey, isRange: boolean) => void) | undefined
  /** On a phone, where columns have their places. */
  isInLines: boolean
}

/** Whether its rows are two lines on a phone, and no cards. */
export const hasLines = <Row,>(columns: readonly Column<Row>[]): boolean =>
  columns.some(({ phone }) => phone !== undefined)

type TableRowProps<Row> = RowWays<Row> & {
  row: Row
  id: RowKey
  tone: 'bad' | 'wait' | undefined
  canBeTicked: boolean
  isTicked: boolean
  isGone: boolean
  isOpen: boolean
}

/** Drawn again only when its row, tone, tick or the way of drawing changes. */
export const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, columns, nameOf, actions, slots, onRun, onTick, tone, canBeTicked, isTicked, isGone } =
    props
  const { isOpen, isInLines } = props
  return (
    <tr
      data-row={id}
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
      {isInLines ? <Lines row={row} columns={columns} /> : null}
      {(isInLines ? [] : columns).map((column) => (
        <td
          key={column.key}
          data-title={column.title}
          data-role={column.role}
          data-align={column.align}
          data-face={column.face ? true : undefined}
        >
          {column.face?.(row)}
          {column.role === 'main' ? (
            <>
              <div className={styles['title']}>{written(column.cell(row))}</div>
              {column.below?.(row)}
            </>
          ) : (
            written(column.cell(row))
          )}
        </td>
      ))}
      {actions ? (
        <td data-role="actions">
          {isGone ? (
            <span className={styles['gone']}>Plus dans la liste</span>
          ) : (
            <RowButtons row={row} name={nameOf(row)} actions={actions} slots={slots} onRun={onRun} />
          )}
        </td>
      ) : null}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

/** A phone's row: the title and its state on one line, who and when on the next. */
function Lines<Row>({ row, columns }: Pick<TableRowProps<Row>, 'row' | 'columns'>) {
  const main = columns.find(({ role }) => role === 'main')
  const at = (place: Column<Row>['phone']) =>
    columns
      .filter(({ phone }) => phone === place)
      .map(({ key, title, cell, onPhone = cell }) => ({ key, title, content: written(onPhone(row)) }))
      .filter(({ content }) => content !== '' && content !== null)
      .map(({ key, title, content }) => (
        <span key={key} className={lines['part']}>
          <VisuallyHidden component="span">{`${title}\u202f: `}</VisuallyHidden>
          {content}
        </span>
      ))
  return (
    <td data-role="main" data-face={main?.face ? true : undefined}>
      {main?.face?.(row)}
      <div className={lines['line']}>
        <div className={`${styles['title']} ${lines['title']}`}>
          {main ? written((main.onPhone ?? main.cell)(row)) : null}
        </div>
        {at('state')}
      </div>
      <div className={lines['line']} data-under>
        <div className={lines['who']}>{at('who')}</div>
        {at('when')}
      </div>
      <div className={lines['below']}>{at('below')}</div>
      {main?.below?.(row)}
    </td>
  )
}

export const written = (content: ReactNode): ReactNode =>
  typeof content === 'number' ? frenchNumber(content) : content

/** Shift ticks a range and would also select text. */
const keepText = (event: React.MouseEvent) => {
  if (event.shiftKey) event.preventDefault()
}
