import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { type CSSProperties, memo, useMemo } from 'react'
import { Link } from 'react-router-dom'

import type { Calendar, CalendarBlock, CalendarCopy } from '../../contract/calendar.ts'
import { membersOf } from '../../contract/list.ts'
import { type CalendarDay, daysBetween, plusDays } from '../../domain/calendar-day.ts'
import { daysShown, weeksShown } from '../../domain/calendar-weeks.ts'
import { useRight } from '../api/session.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { inWords } from '../page/house-words.ts'
import { addressOfQueue } from '../queue/reservation-addresses.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { counted } from '../ui/words.ts'
import { CalendarRow } from './calendar-row.tsx'
import styles from './calendar.module.css'
import { type ClosedDays, GridFrame, type GridHands } from './grid-frame.tsx'
import { lineOf } from './line-of.ts'
import type { Selection, ShownRow } from './use-calendar-hands.ts'

type CalendarGridProps = GridHands & { calendar: Calendar; isStale: boolean }

/** Twelve weeks of some copies: a block a reference, a line a copy. */
export function CalendarGrid({ calendar, isStale, ...hands }: CalendarGridProps) {
  const { first_day, today } = calendar
  const shown = useMemo(() => rowsOf(calendar), [calendar])
  return (
    <GridFrame
      {...hands}
      calendar={calendar}
      columns={daysShown}
      rows={shown}
      isStale={isStale}
      head={<Weeks first_day={first_day} now={daysBetween(first_day, today)} />}
    >
      {(selection, closed) =>
        membersOf(calendar).map((block) => (
          <Block
            key={block.id}
            block={block}
            shown={shown}
            first_day={first_day}
            closed={closed}
            selection={selection?.block === block.id ? selection : null}
          />
        ))
      }
    </GridFrame>
  )
}

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
        columns={daysShown}
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
          columns={daysShown}
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
