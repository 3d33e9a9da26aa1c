import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { type CSSProperties, memo, useEffect, useId, useMemo, useRef } from 'react'
import { Link } from 'react-router-dom'

import type { Calendar, CalendarBar, CalendarBlock, CalendarCopy } from '../../contract/calendar.ts'
import { membersOf } from '../../contract/list.ts'
import { type CalendarDay, daysBetween, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { daysShown, weeksShown } from '../../domain/calendar-weeks.ts'
import { useRight } from '../api/session.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { inWords } from '../page/house-words.ts'
import { addressOfQueue } from '../queue/reservation-addresses.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { counted } from '../ui/words.ts'
import { CalendarRow } from './calendar-row.tsx'
import { daysInWords } from './calendar-words.ts'
import styles from './calendar.module.css'
import { type Days, lineOf } from './line-of.ts'
import { type Selection, type ShownRow, useCalendarHands } from './use-calendar-hands.ts'

/** What a person pressed: a bar, or days that are free, of a copy or of no copy in particular. */
export type Pressed = {
  block: CalendarBlock
  copy: CalendarCopy | null
  bar: CalendarBar | null
  first_day: CalendarDay
  last_day: CalendarDay
}

type CalendarGridProps = {
  calendar: Calendar
  isStale: boolean
  onPress: (pressed: Pressed) => void
  /** Days of a copy chosen by drag or by keys; undefined where none may be reserved by days. */
  onReserve: ((pressed: Pressed) => void) | undefined
}

/** Twelve weeks of some copies: a block a reference, a line a copy. */
export function CalendarGrid({ calendar, isStale, onPress, onReserve }: CalendarGridProps) {
  const { first_day, today } = calendar
  const blocks = membersOf(calendar)
  const help = useId()
  const grid = useRef<HTMLDivElement>(null)
  const now = daysBetween(first_day, today)
  const shown = useMemo(() => rowsOf(calendar), [calendar])
  const closed = useMemo(
    () =>
      new Map(
        calendar.closed.map(({ site, days }) => [
          site,
          { days: new Set(days), look: hatchOf(days, first_day) },
        ]),
      ),
    [calendar.closed, first_day],
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
    rows: shown,
    today: now,
    onPress: (row, cell) => onPress(pressedOf(row, cell, cell.kind === 'bar' ? cell.bar : null)),
    onSelect: onReserve && ((row, days) => onReserve(pressedOf(row, days, null))),
  })
  useEffect(() => {
    // One cell is in the order of the Tab key: the last that was visited, else the first.
    const cells = grid.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
    if (!cells) grid.current?.querySelector<HTMLElement>('[role=gridcell]')?.setAttribute('tabindex', '0')
  }, [shown])
  const chosen = selection ? selectionInWords(selection, calendar, closed.get(selection.site)?.days) : ''
  return (
    <>
      <p className={styles['chosen']} aria-live="polite">
        {chosen}
      </p>
      <div className={styles['scroller']} data-stale={isStale || undefined}>
        <div
          ref={grid}
          role="grid"
          aria-label="Calendrier"
          aria-describedby={help}
          aria-readonly
          className={styles['grid']}
          {...handlers}
        >
          <Weeks first_day={first_day} now={now} />
          {now >= 0 && now < daysShown ? (
            <div
              className={styles['today']}
              style={{ '--at': (now + 0.5) / daysShown } as CSSProperties}
              aria-hidden
            />
          ) : null}
          {blocks.map((block) => (
            <Block
              key={block.id}
              block={block}
              shown={shown}
              first_day={first_day}
              closed={closed}
              selection={selection?.block === block.id ? selection : null}
            />
          ))}
        </div>
      </div>
      <p id={help} className={styles['help']}>
        Au clavier&#8239;: les flèches vont d’une case à l’autre, Entrée ouvre le choix
        {onReserve
          ? '. Sur une case libre, Maj et → choisissent des jours, les flèches les déplacent, Entrée les réserve, Échap les abandonne.'
          : '.'}
      </p>
    </>
  )
}

type ClosedDays = ReadonlyMap<number, { days: ReadonlySet<string>; look: string }>

function rowsOf(calendar: Calendar): ReadonlyMap<string, ShownRow> {
  const { first_day } = calendar
  const rows = new Map<string, ShownRow>()
  for (const block of membersOf(calendar)) {
    rows.set(headKey(block), { block, copy: null, line: lineOf(block.bars, first_day, false) })
    for (const copy of block.copies) {
      rows.set(copyKey(copy), { block, copy, line: lineOf(copy.bars, first_day, true) })
    }
  }
  return rows
}
const headKey = ({ id }: { id: number }) => `r${id}`
const copyKey = ({ id }: { id: number }) => `c${id}`

function selectionInWords(
  { first, last }: Selection,
  { first_day }: Calendar,
  closed: ReadonlySet<string> | undefined,
): string {
  const days = Array.from({ length: last - first + 1 }, (_, at) => plusDays(first_day, first + at))
  const shut = days.filter((day) => closed?.has(day))
  const chosen = `${counted(days.length, 'jour choisi', 'jours choisis')}, ${daysInWords(days[0] ?? '', days.at(-1) ?? '')}`
  return shut.length === 0 ? chosen : `${chosen}, fermé le ${shut.map((day) => frenchDay(day)).join(', le ')}`
}

/** Closed days as stripes of one picture, because a box a day would be thousands of them. */
function hatchOf(days: readonly CalendarDay[], first_day: CalendarDay): string {
  if (days.length === 0) return 'none'
  const at = (place: number) => `${((place / daysShown) * 100).toFixed(4)}%`
  const stops = days.map((day) => {
    const place = daysBetween(first_day, day)
    return `transparent ${at(place)}, var(--closed) ${at(place)} ${at(place + 1)}, transparent ${at(place + 1)}`
  })
  return `linear-gradient(to right, ${stops.join(', ')})`
}

const weekFormat = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const Weeks = memo(function Weeks({ first_day, now }: { first_day: CalendarDay; now: number }) {
  return (
    <div role="row" className={styles['weeks']}>
      <div role="columnheader" className={styles['corner']}>
        {inWords('Exemplaire')}
      </div>
      <div role="presentation" className={styles['columns']}>
        {Array.from({ length: weeksShown }, (_, week) => {
          const day = plusDays(first_day, week * 7)
          const isNow = now >= week * 7 && now < week * 7 + 7
          return (
            <div
              key={day}
              role="columnheader"
              aria-current={isNow ? 'date' : undefined}
              className={styles['week']}
            >
              <VisuallyHidden>{isNow ? 'Cette semaine, du ' : 'Semaine du '}</VisuallyHidden>
              {weekFormat.format(new Date(`${day}T00:00:00Z`))}
            </div>
          )
        })}
      </div>
    </div>
  )
})

type BlockProps = {
  block: CalendarBlock
  shown: ReadonlyMap<string, ShownRow>
  first_day: CalendarDay
  closed: ClosedDays
  selection: Selection | null
}

const Block = memo(function Block({ block, shown, first_day, closed, selection }: BlockProps) {
  const isMultisite = useIsMultisite()
  const mayRead = useRight('LIST_REFERENCES')
  const mayWait = useRight('LIST_RESERVATIONS')
  const { id, name, category, medium, waiting, copies } = block
  const head = shown.get(headKey(block))
  const kind = [medium, category].filter((one) => one !== null).join(' · ')
  const queue = counted(waiting, 'personne en attente', 'personnes en attente')
  return (
    <div
      role="rowgroup"
      aria-label={name}
      className={styles['block']}
      style={{ '--lines': copies.length + 1 } as CSSProperties}
    >
      <CalendarRow
        rowKey={headKey(block)}
        row={head}
        first_day={first_day}
        look="none"
        selection={null}
        isHead
        header={
          <>
            {mayRead ? (
              <Anchor
                component={Link}
                to={addressOfReference(id)}
                className={styles['title'] ?? ''}
                title={name}
              >
                {name}
              </Anchor>
            ) : (
              <span className={styles['title']} title={name}>
                {name}
              </span>
            )}
            <span className={styles['kind']}>
              {kind}
              {waiting === 0 ? null : kind === '' ? '' : ' · '}
              {waiting === 0 ? null : mayWait ? <Link to={addressOfQueue(id)}>{queue}</Link> : queue}
            </span>
          </>
        }
      />
      {copies.map((copy) => (
        <CalendarRow
          key={copy.id}
          rowKey={copyKey(copy)}
          row={shown.get(copyKey(copy))}
          first_day={first_day}
          look={closed.get(copy.site)?.look ?? 'none'}
          selection={selection?.row === copyKey(copy) ? selection : null}
          header={<CopyName copy={copy} isMultisite={isMultisite} />}
        />
      ))}
    </div>
  )
})

function CopyName({ copy, isMultisite }: { copy: CalendarCopy; isMultisite: boolean }) {
  // What is lent is seen beside it.
  const status =
    copy.status_name === 'Disponible' || copy.status_name === 'En Location' ? null : copy.status_name
  const more = [isMultisite ? copy.site_name : null, status].filter((one) => one !== null).join(' · ')
  return (
    <>
      <span className={styles['code']}>{copy.bar_code}</span>
      {more === '' ? null : (
        <Text span size="xs" c="dimmed" truncate title={more}>
          {more}
        </Text>
      )}
    </>
  )
}
