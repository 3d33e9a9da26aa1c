import { Link } from 'react-router-dom'

import type { LoanStats } from '../../contract/stats.ts'
import { type CalendarDay, plusMonths } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { centsOf, frenchMoney, moneyOf } from '../../domain/money.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { EmptyState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import { Bars } from './bars.tsx'
import { begunIn, type LoanFilters, useLoansLink } from './counted-loans.ts'
import { untilToday } from './day-bars.tsx'
import { ComparedFigure, Figure, Figures } from './figure.tsx'
import { FiguresTable } from './figures-table.tsx'
import { byId } from './part-rows.ts'
import { CategoriesPanel, MediaPanel, Panels, SitesPanel, StatPanel } from './stat-panel.tsx'
import {
  growthWords,
  monthWords,
  periodWords,
  pointsWords,
  shareWords,
  shortMonthWords,
} from './stat-words.ts'

type LoanFiguresProps = { stats: LoanStats; filters: LoanFilters }

/** How many, how late, what they brought, and what they were of. */
export function LoanFigures({ stats, filters }: LoanFiguresProps) {
  const { period, before, loans, late, amount, media, categories, sites } = stats
  const loansLink = useLoansLink()
  const total = loans.now
  // What was lent last had no time to be late yet, which flatters a period that is not over.
  const isOver = period.end_date < useToday()
  const lateWords = `${counted(late.now, 'prêt', 'prêts', 'aucun prêt')} sur ${frenchNumber(total)}`
  const these = begunIn(period, filters)
  const listLink = total === 0 ? undefined : loansLink(these)
  const lateLink = late.now === 0 ? undefined : loansLink({ ...these, 'islate|eq': '1' })
  return (
    <>
      <Figures label="Totaux">
        <ComparedFigure
          label={inWords('Prêts')}
          of={loans}
          before={before}
          link={listLink === undefined ? null : <Link to={listLink}>Voir la liste</Link>}
        />
        <Figure
          label={isOver ? 'En retard' : 'En retard à ce jour'}
          value={shareWords(late.now, total) || 'Aucun'}
          more={total === 0 ? null : `${lateWords} · ${pointsWords(late, loans, before)}`}
          link={lateLink === undefined ? null : <Link to={lateLink}>Voir les retards</Link>}
        />
        <Figure
          label="Montant"
          value={frenchMoney(amount.now)}
          more={growthWords({ now: centsOf(amount.now), before: centsOf(amount.before) }, before, (cents) =>
            frenchMoney(moneyOf(cents)),
          )}
          link={
            listLink === undefined ? null : <Link to={`${listLink}&sort=amount:desc`}>Voir les montants</Link>
          }
        />
      </Figures>
      {total === 0 ? (
        <EmptyState message="Aucun prêt dans cette période." />
      ) : (
        <>
          <Months stats={stats} filters={filters} />
          <Panels>
            <MediaPanel
              counted="Prêts"
              parts={media}
              total={total}
              linkOf={byId((medium) => loansLink({ ...these, 'medium|in': String(medium) }))}
            />
            <CategoriesPanel
              counted="Prêts"
              parts={categories}
              total={total}
              linkOf={byId((category) => loansLink({ ...these, 'category|in': String(category) }))}
            />
            <SitesPanel
              counted="Prêts"
              parts={sites}
              total={total}
              linkOf={byId((site) => loansLink({ ...these, 'site|in': String(site) }))}
            />
          </Panels>
        </>
      )}
    </>
  )
}

function Months({ stats, filters }: LoanFiguresProps) {
  const { period, loans } = stats
  const loansLink = useLoansLink()
  const told = new Map(stats.months.map(({ month, count }) => [month, count]))
  const today = useToday()
  const months = monthsOf(period).map(({ month, ...days }) => ({ month, days, count: told.get(month) ?? 0 }))
  const rows = untilToday(months, today, ({ days, count }) => ({ start: days.start_date, count }))
  return (
    <StatPanel title="Par mois">
      <Bars
        label={`Prêts ${periodWords(period)}\u202f: ${counted(loans.now, 'prêt', 'prêts', 'aucun prêt')}`}
        points={rows.map(({ month }) => ({
          key: month,
          title: monthWords(month),
          tick: shortMonthWords(month),
        }))}
        series={[{ name: 'Prêts', values: rows.map(({ count }) => count) }]}
      />
      <FiguresTable
        isOfTime
        label="Par mois"
        titles={['Mois', 'Prêts', 'Part']}
        rows={rows.map(({ month, days, count }) => ({
          key: month,
          name: monthWords(month),
          to: count === 0 ? undefined : loansLink(begunIn(days, filters)),
          values: [frenchNumber(count), shareWords(count, loans.now)],
        }))}
      />
    </StatPanel>
  )
}

/** The months of a period, each with the days of it that count. */
export function monthsOf({ start_date, end_date }: Period): readonly (Period & { month: string })[] {
  const months: (Period & { month: string })[] = []
  for (let day = monthOf(start_date).start_date; day <= end_date; day = plusMonths(day, 1)) {
    const month = monthOf(day)
    months.push({
      month: day.slice(0, 7),
      start_date: laterOf(month.start_date, start_date),
      end_date: month.end_date < end_date ? month.end_date : end_date,
    })
  }
  return months
}

const laterOf = (one: CalendarDay, other: CalendarDay) => (one > other ? one : other)
