import { memo, useMemo } from 'react'

import type { CalendarBoard } from '../../contract/calendar.ts'
import { membersOf, type MemberOf } from '../../contract/list.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { boardDays } from '../../domain/calendar-weeks.ts'
import { inWords } from '../page/house-words.ts'
import { CalendarRow } from './calendar-row.tsx'
import { letterOfDay, wholeDay } from './calendar-words.ts'
import styles from './calendar.module.css'
import { GridFrame, type GridHands } from './grid-frame.tsx'
import { lineOf } from './line-of.ts'
import type { Selection, ShownRow } from './use-calendar-hands.ts'

type Line = MemberOf<CalendarBoard>

type BoardGridProps = GridHands & { board: CalendarBoard; isStale: boolean }

/** Four weeks, day by day, of what is not free: a low row a copy. */
export function BoardGrid({ board, isStale, ...hands }: BoardGridProps) {
  const { first_day, date, today, closed } = board
  const lines = membersOf(board)
  const rows = useMemo(
    () =>
      new Map(
        membersOf(board).map(({ title, copy, bars }): [string, ShownRow] => [
          keyOf({ title, copy }),
          { block: title, copy, line: lineOf(bars, board.first_day, copy !== null, boardDays) },
        ]),
      ),
    [board],
  )
  return (
    <GridFrame
      {...hands}
      calendar={board}
      columns={boardDays}
      rows={rows}
      isStale={isStale}
      isBoard
      head={<DaysHead first_day={first_day} date={date} today={today} />}
    >
      {(selection, grounds) =>
        lines.map((line) => {
          const key = keyOf(line)
          return (
            <BoardRow
              key={key}
              line={line}
              row={rows.get(key)}
              first_day={first_day}
              look={line.copy ? (grounds.get(line.copy.site)?.look ?? 'none') : 'none'}
              selection={selection?.row === key ? selection : null}
              isSiteTold={closed.length > 1}
              hasEdges={hands.onProlong !== undefined}
            />
          )
        })
      }
    </GridFrame>
  )
}

const keyOf = ({ title, copy }: Pick<Line, 'title' | 'copy'>): string =>
  copy === null ? `r${title.id}` : `c${copy.id}`

type DaysHeadProps = { first_day: CalendarDay; date: CalendarDay; today: CalendarDay }

const DaysHead = memo(function DaysHead({ first_day, date, today }: DaysHeadProps) {
  return (
    <div role="row" className={styles['weeks']}>
      <div role="columnheader" className={styles['corner']}>
        {inWords('Exemplaire')}
      </div>
      <div role="presentation" className={styles['columns']}>
        {Array.from({ length: boardDays }, (_, at) => {
          const day = plusDays(first_day, at)
          return (
            <div
              key={day}
              role="columnheader"
              aria-label={wholeDay(day)}
              aria-current={day === today ? 'date' : undefined}
              data-asked={day === date || undefined}
              className={styles['day']}
            >
              <span>{letterOfDay(day)}</span>
              {Number(day.slice(8))}
            </div>
          )
        })}
      </div>
    </div>
  )
})

type BoardRowProps = {
  line: Line
  row: ShownRow | undefined
  first_day: CalendarDay
  look: string
  selection: Selection | null
  isSiteTold: boolean
  hasEdges: boolean
}

const BoardRow = memo(function BoardRow({ line: { title, copy }, isSiteTold, ...rest }: BoardRowProps) {
  const code = copy === null ? inWords('Sans exemplaire choisi') : copy.bar_code
  const place = copy !== null && isSiteTold ? `${code} · ${copy.site_name}` : code
  return (
    <CalendarRow
      {...rest}
      rowKey={keyOf({ title, copy })}
      columns={boardDays}
      header={
        <>
          <span className={styles['title']} title={`${title.name}, ${place}`}>
            {title.name}
          </span>
          <span className={styles['code']}>{place}</span>
        </>
      }
    />
  )
})
