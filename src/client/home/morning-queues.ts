import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBasket,
  IconCalendarOff,
  IconClockX,
  IconDatabaseExclamation,
  IconMailX,
  IconReload,
  IconTruck,
} from '@tabler/icons-react'
import { type DataTag, type FetchQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'

import { closures } from '../../contract/closures.ts'
import { getBackupTrouble } from '../../contract/installation.ts'
import { type Counted, membersOf, totalOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { listMails } from '../../contract/mail.ts'
import { reservations } from '../../contract/reservations.ts'
import { type CalendarDay, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/queries.ts'
import { lateCountQuery } from '../loans/late-count-query.ts'
import { isJustBack, pickingCountQuery } from '../reservations/shelf-data.ts'
import { arrivalCountQuery } from '../transfers/arrival-count-query.ts'
import { counted } from '../ui/words.ts'

type Told = { count: number; words: string; why?: string }

/** A kind of work that waits, for whoever has the right to do it. */
type Work<Data, Asked> = {
  key: string
  right: Right
  isForSeveralSites?: true
  Icon: typeof IconBasket
  tone: 'wait' | 'bad' | 'quiet'
  /** Where it is done. */
  to: (today: CalendarDay) => string
  asked: (today: CalendarDay) => Asked
  tell: (answer: Data, today: CalendarDay) => Told
}
export type Queue = Work<unknown, FetchQueryOptions>

/** What each tells is what its own question answers; together they are only asked and told. */
const queue = <Data>(work: Work<Data, { queryKey: DataTag<QueryKey, Data, Error> }>): Queue =>
  work as unknown as Queue

const howMany =
  (one: string, many: string) =>
  (page: Counted): Told => {
    const count = totalOf(page)
    return { count, words: counted(count, one, many) }
  }

/** How many days ahead a closure is worth knowing. */
const closuresAhead = 14

/** First what a reader stands for, then what is late, then what only has to be known. */
export const queues: readonly Queue[] = [
  queue({
    key: 'returned',
    right: 'RESERVATION_EDIT',
    Icon: IconArrowBackUp,
    tone: 'wait',
    to: () => '/reservations/picking',
    asked: () => pickingCountQuery,
    tell: (page, today) => {
      const count = membersOf(page).filter((row) => isJustBack(row, today)).length
      return {
        count,
        words: counted(
          count,
          'exemplaire rendu depuis hier et attendu',
          'exemplaires rendus depuis hier et attendus',
        ),
      }
    },
  }),
  queue({
    key: 'picking',
    right: 'RESERVATION_EDIT',
    Icon: IconBasket,
    tone: 'wait',
    to: () => '/reservations/picking',
    asked: () => pickingCountQuery,
    tell: (page, today) => {
      const count = membersOf(page).filter((row) => !isJustBack(row, today)).length
      return {
        count,
        words: counted(count, 'exemplaire à chercher en rayon', 'exemplaires à chercher en rayon'),
      }
    },
  }),
  queue({
    key: 'arrivals',
    right: 'LIST_TRANSFERS',
    isForSeveralSites: true,
    Icon: IconTruck,
    tone: 'wait',
    to: () => '/transfers',
    asked: () => arrivalCountQuery,
    tell: howMany('exemplaire à recevoir', 'exemplaires à recevoir'),
  }),
  queue({
    key: 'uncollected',
    right: 'LIST_RESERVATIONS',
    Icon: IconClockX,
    tone: 'wait',
    to: () => '/reservations/set_aside',
    asked: (today) =>
      listQuery(reservations.list, {
        limit: 1,
        filters: [
          { field: 'set_aside', operator: 'eq', value: true },
          { field: 'pickup_until', operator: 'lte', value: plusDays(today, -1) },
        ],
      }),
    tell: howMany(
      'réservation mise de côté n’a pas été retirée',
      'réservations mises de côté n’ont pas été retirées',
    ),
  }),
  queue({
    key: 'late',
    right: 'LIST_LOANINGS',
    Icon: IconAlertTriangle,
    tone: 'bad',
    to: () => '/loanings?status|in=in_progress&islate|eq=1',
    asked: () => lateCountQuery,
    tell: howMany('prêt en retard', 'prêts en retard'),
  }),
  queue({
    key: 'today',
    right: 'LIST_LOANINGS',
    Icon: IconReload,
    tone: 'quiet',
    to: (today) => `/loanings?status|in=in_progress&end_date|gte=${today}&end_date|lte=${today}`,
    asked: (today) =>
      listQuery(listLoans, {
        limit: 1,
        filters: [
          { field: 'status', operator: 'eq', value: 'in_progress' },
          { field: 'end_date', operator: 'eq', value: today },
        ],
      }),
    tell: howMany('retour attendu aujourd’hui', 'retours attendus aujourd’hui'),
  }),
  queue({
    key: 'backup',
    right: 'PARAMETER_GENERAL',
    Icon: IconDatabaseExclamation,
    tone: 'bad',
    to: () => '/settings/installation',
    asked: () => backupQuery,
    tell: ({ trouble }) => ({
      count: trouble === null ? 0 : 1,
      words: 'Sauvegarde en retard',
      ...(trouble && { why: trouble.fact }),
    }),
  }),
  queue({
    key: 'mails',
    right: 'SEND_MAIL',
    Icon: IconMailX,
    tone: 'bad',
    to: () => '/mails?status|in=failed',
    asked: () =>
      listQuery(listMails, { limit: 1, filters: [{ field: 'status', operator: 'eq', value: 'failed' }] }),
    tell: howMany('courriel n’est pas parti', 'courriels ne sont pas partis'),
  }),
  queue({
    key: 'closures',
    right: 'PARAMETER_SITE',
    Icon: IconCalendarOff,
    tone: 'quiet',
    to: () => '/settings/closures',
    asked: (today) =>
      listQuery(closures.list, {
        limit: 1,
        order: [{ field: 'first_day', direction: 'asc' }],
        filters: [
          { field: 'first_day', operator: 'gte', value: today },
          { field: 'first_day', operator: 'lte', value: plusDays(today, closuresAhead) },
        ],
      }),
    tell: (page) => {
      const { count, words } = howMany('fermeture à venir', 'fermetures à venir')(page)
      const [next] = membersOf(page)
      return { count, words: next ? `${words}, dès le ${frenchDay(next.first_day)}` : words }
    },
  }),
]

const minute = 60_000

const backupQuery = queryOptions({
  queryKey: ['installation', getBackupTrouble.name],
  queryFn: ({ signal }) => call(getBackupTrouble, { signal }),
  staleTime: 10 * minute,
  refetchInterval: 10 * minute,
})
