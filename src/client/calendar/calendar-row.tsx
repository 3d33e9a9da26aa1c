import { type CSSProperties, type ReactNode, useMemo } from 'react'

import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { calendarStates } from '../../domain/calendar-weeks.ts'
import styles from './calendar.module.css'
import { barInWords, daysInWords, shortName } from './calendar-words.ts'
import { type Cell, type Days, mayGrow } from './line-of.ts'
import type { Selection, ShownRow } from './use-calendar-hands.ts'

type CalendarRowProps = {
  rowKey: string
  row: ShownRow | undefined
  first_day: CalendarDay
  /** How many days are shown. */
  columns: number
  look: string
  selection: Selection | null
  header: ReactNode
  isHead?: true
  /** Loans are prolonged by their edge. */
  hasEdges?: boolean
}

/** A copy's line, or a reference's head, with its cells. */
export function CalendarRow(props: CalendarRowProps) {
  const { rowKey, row, first_day, columns, look, selection, header, isHead, hasEdges = false } = props
  const cells = useMemo(
    () =>
      row?.line.cells.map((cell, at) =>
        cellOf(cell, { at, first_day, columns, lanes: row.line.lanes, hasEdges }),
      ) ?? [],
    [row, first_day, columns, hasEdges],
  )
  const { lanes = 1 } = row?.line ?? {}
  return (
    <div
      role="row"
      className={styles['row']}
      data-row={rowKey}
      data-head={isHead}
      data-empty={cells.length === 0 || undefined}
    >
      <div role="rowheader" className={styles['name']}>
        {header}
      </div>
      <div
        role="presentation"
        className={styles['track']}
        data-track
        style={{ '--lanes': lanes, '--hatch': look } as CSSProperties}
      >
        {cells}
        {selection ? (
          <div className={styles['selection']} style={placeOf(selection, columns)} aria-hidden />
        ) : null}
      </div>
    </div>
  )
}

const placeOf = ({ first, last }: Days, columns: number) => ({
  left: `${(first / columns) * 100}%`,
  width: `${((last - first + 1) / columns) * 100}%`,
})

/** From such a share of the days shown on a bar has room for a name. */
const wordyShare = 1 / 17

type CellOf = { at: number; first_day: CalendarDay; columns: number; lanes: number; hasEdges: boolean }

function cellOf(cell: Cell, { at, first_day, columns, lanes, hasEdges }: CellOf) {
  const { first, last } = cell
  const place = placeOf(cell, columns)
  if (cell.kind === 'free') {
    return (
      <div
        key={`free ${first}`}
        role="gridcell"
        tabIndex={-1}
        className={styles['free']}
        data-cell={at}
        data-last={last}
        aria-label={`${calendarStates.free} ${daysInWords(plusDays(first_day, first), plusDays(first_day, last))}`}
        style={place}
      />
    )
  }
  const { bar, lane } = cell
  const words = barInWords(bar)
  return (
    <div
      key={`${bar.kind} ${bar.id}`}
      role="gridcell"
      tabIndex={-1}
      className={styles['bar']}
      data-cell={at}
      data-last={last}
      data-state={bar.state}
      aria-label={words}
      title={words}
      style={{
        ...place,
        ...(lanes === 1 ? {} : { top: `${(lane / lanes) * 100}%`, height: `${100 / lanes}%` }),
      }}
    >
      {(last - first + 1) / columns < wordyShare ? null : (
        <span className={styles['who']}>
          {bar.beneficiary_name === null ? calendarStates[bar.state] : shortName(bar.beneficiary_name)}
        </span>
      )}
      {hasEdges && mayGrow(cell, columns) ? <span className={styles['edge']} data-edge aria-hidden /> : null}
    </div>
  )
}
