import { type CSSProperties, type ReactNode, useMemo } from 'react'

import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { calendarStates, daysShown } from '../../domain/calendar-weeks.ts'
import styles from './calendar.module.css'
import { barInWords, daysInWords, shortName } from './calendar-words.ts'
import type { Cell } from './line-of.ts'
import type { Selection, ShownRow } from './use-calendar-hands.ts'

type CalendarRowProps = {
  rowKey: string
  row: ShownRow | undefined
  first_day: CalendarDay
  look: string
  selection: Selection | null
  header: ReactNode
  isHead?: true
}

/** A copy's line, or a reference's head, with its cells. */
export function CalendarRow({ rowKey, row, first_day, look, selection, header, isHead }: CalendarRowProps) {
  const cells = useMemo(
    () => row?.line.cells.map((cell, at) => cellOf(cell, at, first_day, row.line.lanes)) ?? [],
    [row, first_day],
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
          <div
            className={styles['selection']}
            style={{ left: share(selection.first), width: share(selection.last - selection.first + 1) }}
            aria-hidden
          />
        ) : null}
      </div>
    </div>
  )
}

const share = (days: number) => `${(days / daysShown) * 100}%`

/** From so many days on a bar has room for a word. */
const wordyDays = 5

function cellOf(cell: Cell, at: number, first_day: CalendarDay, lanes: number) {
  const { first, last } = cell
  const place = { left: share(first), width: share(last - first + 1) }
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
      {last - first + 1 < wordyDays
        ? null
        : bar.beneficiary_name === null
          ? calendarStates[bar.state]
          : shortName(bar.beneficiary_name)}
    </div>
  )
}
