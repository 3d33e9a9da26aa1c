import { type CSSProperties, type ReactNode, useId, useMemo, useRef } from 'react'

import type { Calendar, CalendarBar, CalendarCopy, CalendarTitle } from '../../contract/calendar.ts'
import { type CalendarDay, daysBetween, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { inWords } from '../page/house-words.ts'
import { counted } from '../ui/words.ts'
import { daysInWords } from './calendar-words.ts'
import styles from './calendar.module.css'
import type { Days } from './line-of.ts'
import { type Selection, type ShownRow, useCalendarHands } from './use-calendar-hands.ts'

/** A person pressed a bar, or free days; `copy` is null where the title has none in particular. */
export type Pressed = {
  block: CalendarTitle
  copy: CalendarCopy | null
  bar: CalendarBar | null
  first_day: CalendarDay
  last_day: CalendarDay
}

/** What is done with days and bars of a grid. */
export type GridHands = {
  onPress: (pressed: Pressed) => void
  /** Days of a copy chosen by drag or by keys; undefined where none may be reserved by days. */
  onReserve: ((pressed: Pressed) => void) | undefined
  /** Until when a loan shall last; undefined where none is prolonged here. */
  onProlong?: ((loan: number, until: CalendarDay) => void) | undefined
}

export type ClosedDays = ReadonlyMap<number, { days: ReadonlySet<string>; look: string }>

type GridFrameProps = GridHands & {
  calendar: Pick<Calendar, 'first_day' | 'today' | 'closed'>
  /** How many days are shown. */
  columns: number
  rows: ReadonlyMap<string, ShownRow>
  isStale: boolean
  /** Its rows are low, and nothing but what is not free is drawn. */
  isBoard?: true
  head: ReactNode
  children: (selection: Selection | null, closed: ClosedDays) => ReactNode
}

/** Days from left to right, over rows that mouse and keys work on. */
export function GridFrame(props: GridFrameProps) {
  const { calendar, columns, rows, isStale, isBoard, head, children, onPress, onReserve, onProlong } = props
  const { first_day, today } = calendar
  const help = useId()
  const grid = useRef<HTMLDivElement>(null)
  const now = daysBetween(first_day, today)
  const closed = useMemo(
    () =>
      new Map(
        calendar.closed.map(({ site, days }) => [
          site,
          { days: new Set(days), look: groundOf(days, first_day, columns) },
        ]),
      ),
    [calendar.closed, first_day, columns],
  )
  const pressedOf = ({ block, copy }: ShownRow, { first, last }: Days, bar: CalendarBar | null): Pressed => ({
    block,
    copy,
    bar,
    first_day: plusDays(first_day, first),
    last_day: plusDays(first_day, last),
  })
  const { selection, handlers } = useCalendarHands({
    grid,
    rows,
    columns,
    today: now,
    onPress: (row, cell) => onPress(pressedOf(row, cell, cell.kind === 'bar' ? cell.bar : null)),
    onSelect: onReserve && ((row, days) => onReserve(pressedOf(row, days, null))),
    onProlong: onProlong && ((bar, last) => onProlong(bar.id, plusDays(first_day, last))),
  })
  const chosen = selection ? selectionInWords(selection, first_day, closed.get(selection.site)?.days) : ''
  return (
    <>
      <p className={styles['chosen']} aria-live="polite">
        {chosen}
      </p>
      <div
        className={styles['scroller']}
        data-stale={isStale || undefined}
        data-board={isBoard}
        data-whole={isBoard}
      >
        <div
          ref={grid}
          role="grid"
          aria-label="Calendrier"
          aria-describedby={help}
          aria-readonly
          className={styles['grid']}
          {...handlers}
        >
          {head}
          {now >= 0 && now < columns ? (
            <div
              className={styles['today']}
              style={{ '--at': (now + 0.5) / columns } as CSSProperties}
              aria-hidden
            />
          ) : null}
          {children(selection, closed)}
        </div>
      </div>
      <p id={help} className={styles['help']}>
        Au clavier&#8239;: les flèches vont d’une case à l’autre, Entrée ouvre le choix
        {onReserve
          ? '. Sur une case libre, Maj et → choisissent des jours, les flèches les déplacent, Entrée les réserve, Échap les abandonne.'
          : '.'}
        {onProlong
          ? inWords(
              ' Sur un prêt, Maj et → choisissent jusqu’à quand le prolonger, Entrée le demande, Échap y renonce.',
            )
          : null}
      </p>
    </>
  )
}

function selectionInWords(
  { first, last, bar }: Selection,
  first_day: CalendarDay,
  closed: ReadonlySet<string> | undefined,
): string {
  const days = Array.from({ length: last - first + 1 }, (_, at) => plusDays(first_day, first + at))
  const until = days.at(-1) ?? ''
  if (bar) return `Prolonger jusqu’au ${frenchDay(until)}${closed?.has(until) ? ', jour fermé' : ''}`
  const shut = days.filter((day) => closed?.has(day))
  const chosen = `${counted(days.length, 'jour choisi', 'jours choisis')}, ${daysInWords(days[0] ?? '', until)}`
  return shut.length === 0 ? chosen : `${chosen}, fermé le ${shut.map((day) => frenchDay(day)).join(', le ')}`
}

/** Closed days as stripes of one picture, because a box a day would be thousands of them. */
function groundOf(days: readonly CalendarDay[], first_day: CalendarDay, columns: number): string {
  if (days.length === 0) return 'none'
  const at = (place: number) => `${((place / columns) * 100).toFixed(4)}%`
  const stops = days.map((day) => {
    const place = daysBetween(first_day, day)
    return `transparent ${at(place)}, var(--closed) ${at(place)} ${at(place + 1)}, transparent ${at(place + 1)}`
  })
  return `linear-gradient(to right, ${stops.join(', ')})`
}
