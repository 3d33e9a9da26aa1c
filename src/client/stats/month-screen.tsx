import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import {
  type Activity,
  type Compared,
  type LoanStats,
  type OutNow,
  readActivity,
  type ReaderStats,
  readLoanStats,
  readReaderStats,
} from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { comparedPeriod, monthOf, type Period } from '../../domain/stat-periods.ts'
import { useRight } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { begunIn, outNow, returnedIn, useLoansLink } from './counted-loans.ts'
import { DayBars, daysToTell } from './day-bars.tsx'
import { Figure, Figures } from './figure.tsx'
import { registeredIn } from './reader-stats-screen.tsx'
import { outNowQuery, statsQuery } from './stat-data.ts'
import { StatPanel } from './stat-panel.tsx'
import { StatScreen, useSiteWords } from './stat-screen.tsx'
import { growthWords, periodWords, shareWords } from './stat-words.ts'

/** The figures of this month that the person's profile opens, and where the others are. */
export function MonthScreen({ title, beside }: { title: string; beside: ReactNode }) {
  const [mayExits, mayReturns] = [useRight('STATISTIC_EXITSDAY'), useRight('STATISTIC_RETURNSDAY')]
  const [mayLoans, mayReaders] = [useRight('STATISTIC_LOANINGS'), useRight('STATISTIC_BENEFICIARIES')]
  const today = useToday()
  const period = monthOf(today)
  const site = useSiteWords()
  const mayLate = mayExits || mayReturns || mayLoans
  const activity = useQuery({ ...statsQuery(readActivity, period), enabled: mayExits || mayReturns })
  // Exits are the same loans.
  const loans = useQuery({ ...statsQuery(readLoanStats, period), enabled: mayLoans && !mayExits })
  const now = useQuery({ ...outNowQuery, enabled: mayLate })
  const readers = useQuery({ ...statsQuery(readReaderStats, period), enabled: mayReaders })

  const asked = [activity, loans, now, readers].filter(({ isEnabled }) => isEnabled)
  const isComing = asked.some(({ isPending }) => isPending)
  const isTold = asked.some(({ data }) => data !== undefined)
  const error = asked.find(({ isLoadingError }) => isLoadingError)?.error ?? null
  const refetch = () => Promise.all(asked.map((one) => one.refetch()))
  const month = {
    period,
    activity: activity.data?.figures,
    loans: loans.data?.figures,
    now: now.data?.figures,
    readers: readers.data?.figures,
  }
  const stateAt = asked.map(({ data }) => data?.stateAt ?? null).find((at) => at !== null) ?? null
  return (
    <StatScreen
      title={title}
      asked={{
        data: isComing || !isTold ? undefined : { figures: month, stateAt },
        error: isComing ? null : error,
        refetch,
        isFetching: asked.some(({ isFetching }) => isFetching),
        isPlaceholderData: asked.some(({ isPlaceholderData }) => isPlaceholderData),
      }}
      figures={[mayExits || mayLoans, mayReturns, mayLate, mayReaders, mayReaders].filter(Boolean).length}
      isLinked
      about={
        <Text c="dimmed">
          {site === null ? 'Chiffres' : `${site},`} {periodWords(period)}, comparés à ceux{' '}
          {periodWords(comparedPeriod(period, today))}.
        </Text>
      }
      beside={beside}
    >
      {(figures) => (
        <>
          <Told {...figures} />
          {error ? <ErrorState error={error} onRetry={refetch} /> : null}
        </>
      )}
    </StatScreen>
  )
}

/** Each as far as the person's profile tells it and the server has answered. */
type ToldProps = {
  period: Period
  activity: Activity | undefined
  loans: LoanStats | undefined
  now: OutNow | undefined
  readers: ReaderStats | undefined
}

function Told({ period, activity, loans, now, readers }: ToldProps) {
  const loansLink = useLoansLink()
  const mayOpen = useRight('LIST_BENEFICIARIES')
  const lent = activity?.exits ?? loans?.loans
  const overdue = loansLink({ ...outNow, 'islate|eq': '1' })
  return (
    <>
      <Figures label="Ce mois">
        {lent ? (
          <Count
            label={activity?.exits ? 'Sorties' : inWords('Prêts')}
            of={lent}
            to={loansLink(begunIn(period))}
            list={inWords('Voir ces prêts')}
          />
        ) : null}
        {activity?.returns ? (
          <Count
            label={inWords('Retours')}
            of={activity.returns}
            to={loansLink(returnedIn(period))}
            list={inWords('Voir ces retours')}
          />
        ) : null}
        {now ? (
          <Figure
            label="En retard aujourd’hui"
            value={frenchNumber(now.late)}
            more={now.total === 0 ? null : `${shareWords(now.late, now.total)} de ce qui est dehors`}
            link={overdue === undefined || now.late === 0 ? null : <Link to={overdue}>Voir les retards</Link>}
          />
        ) : null}
        {readers ? (
          <Count
            label={inWords('Lecteurs qui ont emprunté')}
            of={readers.active}
            to={mayOpen && readers.tops !== null ? '/statistics/beneficiaries?rows=all' : undefined}
            list={inWords('Voir ces lecteurs')}
          />
        ) : null}
        {readers ? (
          <Count
            label="Nouveaux inscrits"
            of={readers.registered}
            to={mayOpen ? registeredIn(period) : undefined}
            list="Voir la liste"
          />
        ) : null}
      </Figures>
      {activity ? <Days activity={activity} /> : null}
    </>
  )
}

type CountProps = { label: string; of: Compared; to: string | undefined; list: string }

const Count = ({ label, of, to, list }: CountProps) => (
  <Figure
    label={label}
    value={frenchNumber(of.now)}
    more={growthWords(of, null)}
    link={to === undefined || of.now === 0 ? null : <Link to={to}>{list}</Link>}
  />
)

function Days({ activity }: { activity: Activity }) {
  const today = useToday()
  if (!activity.exits?.now && !activity.returns?.now)
    return <EmptyState message="Aucun prêt dans cette période." />
  return (
    <StatPanel title="Ce mois, par jour">
      <DayBars activity={activity} days={daysToTell(activity, today)} />
    </StatPanel>
  )
}
