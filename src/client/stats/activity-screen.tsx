import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { type Activity, type Compared, readActivity } from '../../contract/stats.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { Period } from '../../domain/stat-periods.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { EmptyState } from '../ui/states.tsx'
import { begunIn, returnedIn, useLoansLink } from './counted-loans.ts'
import { DayBars, daysToTell, mostDays } from './day-bars.tsx'
import { Figure, Figures } from './figure.tsx'
import { FiguresTable } from './figures-table.tsx'
import { PeriodFilter } from './period-filter.tsx'
import { statsQuery } from './stat-data.ts'
import { StatPanel } from './stat-panel.tsx'
import { OfSite, StatScreen } from './stat-screen.tsx'
import { growthWords, periodWords } from './stat-words.ts'
import { usePeriod } from './use-stat-address.ts'

/** Exits and returns of each day, each series for whoever holds its right. */
export default function ActivityScreen() {
  const asked = usePeriod()
  const told = useQuery({ ...statsQuery(readActivity, asked.period), enabled: asked.fault === null })
  return (
    <StatScreen
      title="Activité"
      asked={told}
      isWrong={asked.fault !== null}
      figures={2}
      isLinked
      filters={<PeriodFilter {...asked} />}
      chosen={periodWords(asked.period)}
      about={<OfSite />}
    >
      {(activity) => <Told activity={activity} />}
    </StatScreen>
  )
}

function Told({ activity }: { activity: Activity }) {
  const { period, before, exits, returns } = activity
  const days = daysToTell(activity, useToday())
  const loansLink = useLoansLink()
  const isEmpty = !exits?.now && !returns?.now
  return (
    <>
      <Figures label="Totaux">
        {exits ? (
          <Total
            label="Sorties"
            of={exits}
            before={before}
            to={loansLink(begunIn(period))}
            list={inWords('ces prêts')}
          />
        ) : null}
        {returns ? (
          <Total
            label={inWords('Retours')}
            of={returns}
            before={before}
            to={loansLink(returnedIn(period))}
            list={inWords('ces retours')}
          />
        ) : null}
      </Figures>
      {isEmpty ? (
        <EmptyState message="Aucun prêt dans cette période." />
      ) : (
        <StatPanel title={days.length > mostDays ? 'Par semaine et par jour' : 'Par jour'}>
          <DayBars activity={activity} days={days} />
          <FiguresTable
            isOfTime
            label="Par jour"
            titles={['Jour', ...(exits ? ['Sorties'] : []), ...(returns ? ['Retours'] : [])]}
            rows={days.map(({ day, exits: out, returns: back }) => {
              const only = { start_date: day, end_date: day }
              return {
                key: day,
                name: frenchDay(day),
                values: [
                  ...(out === null ? [] : [linked(out, loansLink(begunIn(only)))]),
                  ...(back === null ? [] : [linked(back, loansLink(returnedIn(only)))]),
                ],
              }
            })}
          />
        </StatPanel>
      )}
    </>
  )
}

const linked = (count: number, to: string | undefined) => ({
  words: frenchNumber(count),
  to: count === 0 ? undefined : to,
})

type TotalProps = { label: string; of: Compared; before: Period; to: string | undefined; list: string }

const Total = ({ label, of, before, to, list }: TotalProps) => (
  <Figure
    label={label}
    value={frenchNumber(of.now)}
    more={growthWords(of, before)}
    link={to === undefined || of.now === 0 ? null : <Link to={to}>Voir {list}</Link>}
  />
)
