import { Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBasket,
  IconCalendarOff,
  IconChevronRight,
  IconClockX,
  IconMailX,
  IconReload,
  IconTruck,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { closures } from '../../contract/closures.ts'
import { type Counted, membersOf, totalOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { listMails } from '../../contract/mail.ts'
import { reservations } from '../../contract/reservations.ts'
import { type CalendarDay, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import { useConnection } from '../api/connection.ts'
import { listQuery } from '../api/queries.ts'
import { useRights } from '../api/session.ts'
import { lateCountQuery } from '../loans/late-count-query.ts'
import { useToday } from '../loans/use-today.ts'
import { useInWords } from '../page/house-words.ts'
import { pickingCountQuery } from '../reservations/shelf-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { arrivalCountQuery } from '../transfers/arrival-count-query.ts'
import { ago, counted } from '../ui/words.ts'
import styles from './morning.module.css'

/** `at`: when the server said it, in milliseconds. */
type Told = { count: number; words: string; at: number }

/** A kind of work that waits, for whoever has the right to do it. */
type Queue = {
  key: string
  right: Right
  isForSeveralSites?: true
  Row: (of: { today: CalendarDay }) => ReactNode
}

type Answered = { data: Counted | undefined; dataUpdatedAt: number }

const told = ({ data, dataUpdatedAt: at }: Answered, one: string, many: string): Told | null => {
  const count = totalOf(data)
  return count === undefined ? null : { count, words: counted(count, one, many), at }
}

const useIsOnline = (): boolean => useConnection() === 'online'

function Picking() {
  const now = told(
    useQuery({ ...pickingCountQuery, enabled: useIsOnline() }),
    'exemplaire à chercher en rayon',
    'exemplaires à chercher en rayon',
  )
  return <QueueRow Icon={IconBasket} tone="wait" to="/reservations/picking" now={now} />
}

function Arrivals() {
  const now = told(
    useQuery({ ...arrivalCountQuery, enabled: useIsOnline() }),
    'exemplaire à recevoir',
    'exemplaires à recevoir',
  )
  return <QueueRow Icon={IconTruck} tone="wait" to="/transfers" now={now} />
}

function Uncollected({ today }: { today: CalendarDay }) {
  const now = told(
    useQuery({
      ...listQuery(reservations.list, {
        limit: 1,
        filters: [
          { field: 'set_aside', operator: 'eq', value: true },
          { field: 'pickup_until', operator: 'lte', value: plusDays(today, -1) },
        ],
      }),
      enabled: useIsOnline(),
    }),
    'réservation mise de côté n’a pas été retirée',
    'réservations mises de côté n’ont pas été retirées',
  )
  return <QueueRow Icon={IconClockX} tone="wait" to="/reservations/set_aside" now={now} />
}

function Late() {
  const now = told(
    useQuery({ ...lateCountQuery, enabled: useIsOnline() }),
    'prêt en retard',
    'prêts en retard',
  )
  return (
    <QueueRow
      Icon={IconAlertTriangle}
      tone="bad"
      to="/loanings?status|in=in_progress&islate|eq=1"
      now={now}
    />
  )
}

function DueToday({ today }: { today: CalendarDay }) {
  const now = told(
    useQuery({
      ...listQuery(listLoans, {
        limit: 1,
        filters: [
          { field: 'status', operator: 'eq', value: 'in_progress' },
          { field: 'end_date', operator: 'eq', value: today },
        ],
      }),
      enabled: useIsOnline(),
    }),
    'retour attendu aujourd’hui',
    'retours attendus aujourd’hui',
  )
  return (
    <QueueRow
      Icon={IconReload}
      tone="quiet"
      to={`/loanings?status|in=in_progress&end_date|gte=${today}&end_date|lte=${today}`}
      now={now}
    />
  )
}

function FailedMails() {
  const now = told(
    useQuery({
      ...listQuery(listMails, { limit: 1, filters: [{ field: 'status', operator: 'eq', value: 'failed' }] }),
      enabled: useIsOnline(),
    }),
    'courriel n’est pas parti',
    'courriels ne sont pas partis',
  )
  return <QueueRow Icon={IconMailX} tone="bad" to="/mails?status|in=failed" now={now} />
}

/** How many days ahead a closure is worth knowing. */
const closuresAhead = 14

function Closures({ today }: { today: CalendarDay }) {
  const query = useQuery({
    ...listQuery(closures.list, {
      limit: 1,
      order: [{ field: 'first_day', direction: 'asc' }],
      filters: [
        { field: 'first_day', operator: 'gte', value: today },
        { field: 'first_day', operator: 'lte', value: plusDays(today, closuresAhead) },
      ],
    }),
    enabled: useIsOnline(),
  })
  const [next] = membersOf(query.data) ?? []
  const all = told(query, 'fermeture à venir', 'fermetures à venir')
  const now = all && next ? { ...all, words: `${all.words}, dès le ${frenchDay(next.first_day)}` } : all
  return <QueueRow Icon={IconCalendarOff} tone="quiet" to="/settings/closures" now={now} />
}

/** First what a reader stands for, then what is late, then what only has to be known. */
const queues: readonly Queue[] = [
  { key: 'picking', right: 'RESERVATION_EDIT', Row: Picking },
  { key: 'arrivals', right: 'LIST_TRANSFERS', isForSeveralSites: true, Row: Arrivals },
  { key: 'uncollected', right: 'LIST_RESERVATIONS', Row: Uncollected },
  { key: 'late', right: 'LIST_LOANINGS', Row: Late },
  { key: 'today', right: 'LIST_LOANINGS', Row: DueToday },
  { key: 'mails', right: 'SEND_MAIL', Row: FailedMails },
  { key: 'closures', right: 'PARAMETER_SITE', Row: Closures },
]

/** Before the first scan a desktop shows the work that waits. A row leads to the screen where it is done, and goes once nothing is left. */
export default function Morning() {
  const today = useToday()
  const rights = useRights()
  const isMultisite = useIsMultisite()
  const inWords = useInWords()
  const open = queues.filter(
    ({ right, isForSeveralSites }) => rights.includes(right) && (isMultisite || !isForSeveralSites),
  )
  return (
    <section className={styles['morning']} aria-labelledby="morning">
      <Title order={2} size="h4" id="morning">
        {inWords('À faire aujourd’hui')}
      </Title>
      <ul className={styles['queues']}>
        {open.map((queue) => (
          <queue.Row key={queue.key} today={today} />
        ))}
      </ul>
    </section>
  )
}

type QueueRowProps = {
  Icon: ComponentType<{ size: string; stroke: number; 'aria-hidden': true }>
  tone: 'wait' | 'bad' | 'quiet'
  to: string
  now: Told | null
}

function QueueRow({ Icon, tone, to, now }: QueueRowProps) {
  const isOnline = useIsOnline()
  if (now === null || now.count === 0) return null
  return (
    <li>
      <Link to={to} className={styles['queue'] ?? ''} data-tone={tone}>
        <span className={styles['icon']}>
          <Icon size="1.25rem" stroke={1.75} aria-hidden />
        </span>
        <span>
          {now.words}
          {isOnline ? null : (
            <Text span c="dimmed" size="sm">
              {` (${ago(now.at)})`}
            </Text>
          )}
        </span>
        <IconChevronRight size="1.2rem" aria-hidden />
      </Link>
    </li>
  )
}
