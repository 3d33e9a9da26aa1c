import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { exportReferenceStats, readReferenceStats, type ReferenceStats } from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { acts, useMayBegin } from '../ui/acts.ts'
import { addressOf } from '../ui/address-of.ts'
import { EmptyState } from '../ui/states.tsx'
import { type CountedReferences, referencesOf } from './counted-references.ts'
import { Figure, Figures } from './figure.tsx'
import { byId } from './part-rows.ts'
import { PeriodFilter } from './period-filter.tsx'
import { ReferenceFilterFields, type ReferenceFilters, useReferenceFilters } from './reference-filters.tsx'
import { statsQuery } from './stat-data.ts'
import { CategoriesPanel, MediaPanel, Panels } from './stat-panel.tsx'
import { StatScreen } from './stat-screen.tsx'
import { periodWords } from './stat-words.ts'
import { TopsPanel } from './tops-panel.tsx'
import { useExcelAction } from './use-excel-action.ts'
import { usePeriod, useStatAddress } from './use-stat-address.ts'

/** What the catalogue is made of, and what of it was lent most. */
export default function ReferenceStatsScreen() {
  const asked = usePeriod()
  const filters = useReferenceFilters()
  const { search, clear } = useStatAddress()
  const isWrong = asked.fault !== null
  // Which site is asked for depends on whether there are several.
  const isKnown = useFlagParameter('multisite') !== undefined
  const query = { ...asked.period, ...filters }
  const told = useQuery({ ...statsQuery(readReferenceStats, query), enabled: !isWrong && isKnown })
  const excel = useExcelAction(isWrong, () => call(exportReferenceStats, { query }))
  return (
    <StatScreen
      title="Références"
      asked={told}
      isWrong={isWrong}
      figures={1}
      isLinked
      filters={
        <>
          <PeriodFilter {...asked} />
          <ReferenceFilterFields {...filters} />
        </>
      }
      chosen={periodWords(asked.period)}
      actions={[
        {
          label: 'Réinitialiser les filtres',
          Icon: IconFilterOff,
          onRun: clear,
          isDisabled: search.size === 0,
        },
        excel,
      ]}
    >
      {(stats) => <Told stats={stats} filters={filters} />}
    </StatScreen>
  )
}

function NoReference({ isFiltered }: { isFiltered: boolean }) {
  const mayAdd = useMayBegin(acts.addReference)
  if (isFiltered) return <EmptyState message="Aucune référence ne correspond à ces filtres." />
  return (
    <EmptyState
      message="Aucune référence pour l’instant."
      action={
        mayAdd ? (
          <Button component={Link} to={acts.addReference.to} variant="default">
            {inWords(acts.addReference.label)}
          </Button>
        ) : null
      }
    />
  )
}

function Told({ stats, filters }: { stats: ReferenceStats; filters: ReferenceFilters }) {
  const { total, sites, categories, media, tops, period } = stats
  const mayList = useRight('LIST_REFERENCES')
  const listOf = (of: Partial<CountedReferences>) =>
    mayList ? addressOf('/references', referencesOf({ ...filters, sites, ...of })) : undefined
  const list = listOf({})
  return (
    <>
      <Figures label="Total">
        <Figure
          label={inWords('Références')}
          value={frenchNumber(total)}
          link={list === undefined || total === 0 ? null : <Link to={list}>Voir la liste</Link>}
        />
      </Figures>
      {total === 0 ? (
        <NoReference isFiltered={filters.category !== undefined || filters.medium !== undefined} />
      ) : (
        <Panels>
          <CategoriesPanel
            counted="Références"
            parts={categories}
            total={total}
            linkOf={byId((category) => listOf({ category: String(category) }))}
          />
          <MediaPanel
            counted="Références"
            parts={media}
            total={total}
            linkOf={byId((medium) => listOf({ medium: String(medium) }))}
          />
        </Panels>
      )}
      <TopsPanel
        title={`Les plus prêtées ${periodWords(period)}`}
        by="Référence"
        tops={tops}
        linkOf={(reference) => (mayList ? `/references/view/${reference}` : undefined)}
      />
    </>
  )
}
