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
import { useQueries } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'

import { listCopies } from '../../contract/catalogue.ts'
import { closures } from '../../contract/closures.ts'
import { type Filter, membersOf, totalOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { listMails } from '../../contract/mail.ts'
import { listPicking, reservations } from '../../contract/reservations.ts'
import { type CalendarDay, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { useRights } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { useInWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { ago, counted } from '../ui/words.ts'
import styles from './morning.module.css'

type Told = { count: number; words: string }

/** Something that waits for somebody, with the screen where it is done. */
type Queue = {
  key: string
  /** What changes it, as the events of the server call it. */
  resource: string
  right: Right
  isForSeveralSites?: true
  Icon: ComponentType<{ size: string; stroke: number; 'aria-hidden': true }>
  tone: 'wait' | 'bad' | 'quiet'
  to: (today: CalendarDay) => string
  ask: (today: CalendarDay, signal: AbortSignal) => Promise<Told>
}

const inProgress: Filter = { field: 'status', operator: 'eq', value: 'in_progress' }
const firstOnly = (...filters: Filter[]) => ({ limit: 1, page: 1, order: [], filters })
const told = (count: number, one: string, many: string): Told => ({ count, words: counted(count, one, many) })

/** How many days ahead a closure is worth knowing. */
const closuresAhead = 14

/** First what a reader stands for, then what is late, then what only has to be known. */
const queues: readonly Queue[] = [
  {
    key: 'picking',
    resource: 'reservations',
    right: 'RESERVATION_EDIT',
    Icon: IconBasket,
    tone: 'wait',
    to: () => '/reservations/picking',
    ask: async (_, signal) =>
      told(
        totalOf(await call(listPicking, { query: {}, signal })),
        'exemplaire à chercher en rayon',
        'exemplaires à chercher en rayon',
      ),
  },
  {
    key: 'arrivals',
    resource: 'copies',
    right: 'LIST_TRANSFERS',
    isForSeveralSites: true,
    Icon: IconTruck,
    tone: 'wait',
    to: () => '/transfers',
    ask: async (_, signal) =>
      told(
        totalOf(
          await call(listCopies, {
            list: firstOnly({ field: 'status.name', operator: 'eq', value: 'En transfert' }),
            signal,
          }),
        ),
        'exemplaire à recevoir',
        'exemplaires à recevoir',
      ),
  },
  {
    key: 'uncollected',
    resource: 'reservations',
    right: 'LIST_RESERVATIONS',
    Icon: IconClockX,
    tone: 'wait',
    to: () => '/reservations/set_aside',
    ask: async (today, signal) =>
      told(
        totalOf(
          await call(reservations.list, {
            list: firstOnly(
              { field: 'set_aside', operator: 'eq', value: true },
              { field: 'pickup_until', operator: 'lte', value: plusDays(today, -1) },
            ),
            signal,
          }),
        ),
        'réservation mise de côté n’a pas été retirée',
        'réservations mises de côté n’ont pas été retirées',
      ),
  },
  {
    key: 'late',
    resource: 'loanings',
    right: 'LIST_LOANINGS',
    Icon: IconAlertTriangle,
    tone: 'bad',
    to: () => '/loanings?status|in=in_progress&islate|eq=1',
    ask: async (_, signal) =>
      told(
        totalOf(
          await call(listLoans, {
            list: firstOnly(inProgress, { field: 'islate', operator: 'eq', value: true }),
            signal,
          }),
        ),
        'prêt en retard',
        'prêts en retard',
      ),
  },
  {
    key: 'today',
    resource: 'loanings',
    right: 'LIST_LOANINGS',
    Icon: IconReload,
    tone: 'quiet',
    to: (today) => `/loanings?status|in=in_progress&end_date|gte=${today}&end_date|lte=${today}`,
    ask: async (today, signal) =>
      told(
        totalOf(
          await call(listLoans, {
            list: firstOnly(inProgress, { field: 'end_date', operator: 'eq', value: today }),
            signal,
          }),
        ),
        'retour attendu aujourd’hui',
        'retours attendus aujourd’hui',
      ),
  },
  {
    key: 'mails',
    resource: 'mail',
    right: 'SEND_MAIL',
    Icon: IconMailX,
    tone: 'bad',
    to: () => '/mails?status|in=failed',
    ask: async (_, signal) =>
      told(
        totalOf(
          await call(listMails, {
            list: firstOnly({ field: 'status', operator: 'eq', value: 'failed' }),
            signal,
          }),
        ),
        'courriel n’est pas parti',
        'courriels ne sont pas partis',
      ),
  },
  {
    key: 'closures',
    resource: 'closures',
    right: 'PARAMETER_SITE',
    Icon: IconCalendarOff,
    tone: 'quiet',
    to: () => '/settings/closures',
    ask: async (today, signal) => {
      const page = await call(closures.list, {
        list: {
          ...firstOnly(
            { field: 'first_day', operator: 'gte', value: today },
            { field: 'first_day', operator: 'lte', value: plusDays(today, closuresAhead) },
          ),
          order: [{ field: 'first_day', direction: 'asc' }],
        },
        signal,
      })
      const [next] = membersOf(page)
      const { count, words } = told(totalOf(page), 'fermeture à venir', 'fermetures à venir')
      return { count, words: next ? `${words}, dès le ${frenchDay(next.first_day)}` : words }
    },
  },
]

const minute = 60_000

/** What waits for somebody before the first scan: each leads to where it is done, and goes when it is. */
export default function Morning() {
  const today = useToday()
  const rights = useRights()
  const isMultisite = useIsMultisite()
  const isOnline = useConnection() === 'online'
  const inWords = useInWords()
  const open = queues.filter(
    ({ right, isForSeveralSites }) => rights.includes(right) && (isMultisite || !isForSeveralSites),
  )
  const answers = useQueries({
    queries: open.map(({ resource, key, ask }) => ({
      queryKey: [resource, 'morning', key, today],
      queryFn: ({ signal }: { signal: AbortSignal }) => ask(today, signal),
      staleTime: minute,
      enabled: isOnline,
    })),
  })
  const rows = open.flatMap((queue, at) => {
    const data = answers[at]?.data
    return data && data.count > 0 ? [{ ...queue, ...data }] : []
  })
  const since = Math.min(...answers.flatMap(({ data, dataUpdatedAt }) => (data ? dataUpdatedAt : [])))
  if (rows.length === 0) return null
  return (
    <section className={styles['morning']} aria-labelledby="morning">
      <Title order={2} size="h4" id="morning">
        {inWords('À faire aujourd’hui')}
      </Title>
      {isOnline ? null : (
        <Text c="dimmed" size="sm">
          {`Hors ligne\u202f: tel que connu ${ago(since)}.`}
        </Text>
      )}
      <ul className={styles['queues']}>
        {rows.map(({ key, Icon, tone, to, words }) => (
          <li key={key}>
            <Link to={to(today)} className={styles['queue'] ?? ''} data-tone={tone}>
              <span className={styles['icon']}>
                <Icon size="1.25rem" stroke={1.75} aria-hidden />
              </span>
              {words}
              <IconChevronRight size="1.2rem" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
