import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { exportLoans } from '../../contract/loan-exports.ts'
import { loanDelays, loanProgresses, readLoanStats } from '../../contract/stats.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { choice, FilterField } from '../ui/lists/filters.tsx'
import { begunIn, filtersOf, type LoanFilters, useLoansLink } from './counted-loans.ts'
import { useExcelAction } from './use-excel-action.ts'
import { LoanFigures } from './loan-figures.tsx'
import { PeriodFilter } from './period-filter.tsx'
import { statsQuery } from './stat-data.ts'
import { OfSite, StatScreen } from './stat-screen.tsx'
import { periodWords } from './stat-words.ts'
import styles from './stats.module.css'
import { usePeriod, useStatAddress } from './use-stat-address.ts'

/** The loans that began in a period, with the list of them and its file. */
export default function LoanStatsScreen() {
  const asked = usePeriod()
  const { change } = useStatAddress()
  const filters = useLoanFilters()
  const { delay, progress } = filters
  const isWrong = asked.fault !== null
  const told = useQuery({
    ...statsQuery(readLoanStats, {
      ...asked.period,
      ...(delay === undefined ? {} : { delay }),
      ...(progress === undefined ? {} : { progress }),
    }),
    enabled: !isWrong,
  })
  const counted = begunIn(asked.period, filters)
  const to = useLoansLink()(counted)
  const mayList = useRight('LIST_LOANINGS')
  const address = {
    values: { delay: delay ?? 'all', progress: progress ?? '' },
    setFilters: ({ delay: late, progress: state }: Record<string, string>) =>
      change({
        ...(late === undefined ? {} : { delay: late === 'all' ? '' : late }),
        ...(state === undefined ? {} : { progress: state }),
      }),
  }
  const excel = useExcelAction(isWrong, () =>
    call(exportLoans, {
      list: { filters: [...filtersOf(counted)], order: [] },
      query: { export_type: 'xlsx' },
    }),
  )
  return (
    <StatScreen
      title="Prêts"
      asked={told}
      isWrong={isWrong}
      figures={3}
      isLinked
      filters={
        <>
          <PeriodFilter {...asked} />
          <search className={styles['filters']}>
            <FilterField filter={delayFilter} address={address} />
            <FilterField filter={progressFilter} address={address} />
          </search>
        </>
      }
      chosen={periodWords(asked.period)}
      about={<OfSite />}
      actions={[
        ...(to !== undefined && !isWrong ? [{ label: 'Voir ces prêts', Icon: IconList, to }] : []),
        ...(mayList ? [excel] : []),
      ]}
    >
      {(stats) => <LoanFigures stats={stats} filters={filters} />}
    </StatScreen>
  )
}

function useLoanFilters(): LoanFilters {
  const { search } = useStatAddress()
  const written = search.get('progress') === 'cancelled' ? 'canceled' : search.get('progress')
  return {
    delay: loanDelays.find((one) => one === search.get('delay') && one !== 'all'),
    progress: loanProgresses.find((one) => one === written),
  }
}

const delayFilter = choice('delay', 'Retard', [
  { value: 'all', label: 'Tous' },
  { value: 'notlate', label: 'À l’heure' },
  { value: 'late', label: 'En retard' },
])

const progressFilter = choice('progress', 'État', [
  { value: '', label: 'Tous' },
  { value: 'in_progress', label: 'En cours' },
  { value: 'finished', label: 'Terminés' },
  { value: 'canceled', label: 'Annulés' },
])
