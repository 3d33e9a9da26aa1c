import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import {
  listReaderRows,
  type ReaderPart,
  readerParts,
  type ReaderStats,
  readReaderStats,
} from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { Period } from '../../domain/stat-periods.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { EmptyState } from '../ui/states.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { CountedRowsSheet } from './counted-rows-sheet.tsx'
import { ComparedFigure, Figures } from './figure.tsx'
import { FiguresTable } from './figures-table.tsx'
import { PeriodFilter } from './period-filter.tsx'
import { statsQuery } from './stat-data.ts'
import { Panels, PartsPanel, SitesPanel, StatPanel } from './stat-panel.tsx'
import { StatScreen, useSiteWords } from './stat-screen.tsx'
import { periodWords, shareWords } from './stat-words.ts'
import styles from './stats.module.css'
import { TopsPanel } from './tops-panel.tsx'
import { usePeriod, useStatAddress } from './use-stat-address.ts'

/** In the address: all who borrowed, or those of one part, by its key. */
const everyone = 'all'

/** Where the readers that a figure counts are listed. */
function useReaderRowsLink(): (by?: ReaderPart, part?: string) => string {
  const { search } = useStatAddress()
  return (by, part = '') => {
    const to = new URLSearchParams(search)
    to.set('rows', by ?? everyone)
    if (by !== undefined) to.set('part', part)
    return `?${to.toString()}`
  }
}

type ReaderRowsSheetProps = Pick<ReaderStats, 'period'> & {
  title: string
  /** What a part is called. */
  nameOf: (by: ReaderPart, part: string) => string
}

/** The readers that the figure in the address counts; the back button closes them. */
function ReaderRowsSheet({ period, title, nameOf }: ReaderRowsSheetProps) {
  const { search, change } = useStatAddress()
  const rows = search.get('rows')
  const by = readerParts.find((one) => one === rows)
  if (by === undefined && rows !== everyone) return null
  const part = search.get('part') ?? ''
  const query = { ...period, ...(by === undefined ? {} : { by, part }) }
  return (
    <CountedRowsSheet
      key={JSON.stringify(query)}
      title={by === undefined ? title : `${title} · ${nameOf(by, part)}`}
      kind="reader"
      onClose={() => change({ rows: '', part: '' })}
      asked={[listReaderRows.name, query]}
      read={(page, signal) => call(listReaderRows, { query: { ...query, page }, signal })}
    />
  )
}

const stillMs = 3000

/** Who borrowed in a period; asked for once its days are still for three seconds. */
export default function ReaderStatsScreen() {
  const asked = usePeriod()
  const { start_date, end_date } = asked.period
  const wanted = `${start_date} ${end_date}`
  const still = useDebounced(wanted, stillMs)
  const [first = start_date, last = end_date] = still.split(' ')
  const isWaiting = still !== wanted
  const isWrong = asked.fault !== null
  const site = useSiteWords()
  const told = useQuery({
    ...statsQuery(readReaderStats, { start_date: first, end_date: last }),
    // Until then what is asked for may be a period that is wrong.
    enabled: !isWrong && !isWaiting,
  })
  return (
    <StatScreen
      title="Lecteurs"
      asked={told}
      isWrong={isWrong}
      figures={2}
      isLinked
      filters={<PeriodFilter {...asked} />}
      chosen={periodWords(asked.period)}
      about={
        <div role="status" className={styles['waiting']}>
          {isWrong
            ? ''
            : isWaiting
              ? 'Les chiffres suivent dans un instant.'
              : `${site === null ? 'Chiffres' : `${site},`} ${periodWords(asked.period)}.`}
        </div>
      }
    >
      {(stats) => <Told {...stats} />}
    </StatScreen>
  )
}

function Told({ period, before, active, registered, contracts, sites, ages, tops }: ReaderStats) {
  const mayOpen = useRight('LIST_BENEFICIARIES')
  const rowsLink = useReaderRowsLink()
  // Rows that name nobody would tell nothing.
  const rowsOf = (count: number, by?: ReaderPart, part?: string) =>
    mayOpen && tops !== null && count > 0 ? rowsLink(by, part) : undefined
  const everyone = rowsOf(active.now)
  const title = inWords('Lecteurs qui ont emprunté')
  return (
    <>
      <Figures label="Totaux">
        <ComparedFigure
          label={title}
          of={active}
          before={before}
          link={everyone === undefined ? null : <Link to={everyone}>{inWords('Voir ces lecteurs')}</Link>}
        />
        <ComparedFigure
          label="Nouveaux inscrits"
          of={registered}
          before={before}
          link={mayOpen && registered.now > 0 ? <Link to={registeredIn(period)}>Voir la liste</Link> : null}
        />
      </Figures>
      {active.now === 0 ? (
        <EmptyState message="Aucun prêt dans cette période." />
      ) : (
        <>
          <Panels>
            <PartsPanel
              title="Par contrat"
              counted="Lecteurs"
              by="Contrat"
              unnamed={inWords('Sans contrat')}
              parts={contracts}
              total={active.now}
              linkOf={({ name, count }) => rowsOf(count, 'contract', name ?? '')}
              isDrawn
            />
            <StatPanel title="Par ancienneté d’inscription">
              <FiguresTable
                label="Par ancienneté d’inscription"
                titles={['Ancienneté', 'Lecteurs', 'Part']}
                rows={ages.map(({ band, count }) => ({
                  key: band,
                  name: ageWords[band],
                  to: rowsOf(count, 'seniority', band),
                  values: [frenchNumber(count), shareWords(count, active.now)],
                }))}
              />
            </StatPanel>
            <SitesPanel
              counted="Lecteurs"
              parts={sites}
              total={active.now}
              linkOf={({ id, count }) => rowsOf(count, 'site', keyOf(id))}
            />
          </Panels>
          {tops ? (
            <TopsPanel
              title="Qui emprunte le plus"
              by="Lecteur"
              tops={tops}
              linkOf={(reader) => (mayOpen ? `/beneficiaries/view/${reader}` : undefined)}
            />
          ) : null}
        </>
      )}
      <ReaderRowsSheet period={period} title={title} nameOf={(by, part) => partWords[by](part, sites)} />
    </>
  )
}

const keyOf = (site: number | null): string => (site === null ? '' : String(site))

const partWords: Record<ReaderPart, (part: string, sites: ReaderStats['sites']) => string> = {
  contract: (part) => part || inWords('Sans contrat'),
  seniority: (part) => (ageWords as Partial<Record<string, string>>)[part] ?? part,
  site: (part, sites) => sites.find(({ id }) => keyOf(id) === part)?.name ?? inWords('Sans site'),
}

export const registeredIn = ({ start_date, end_date }: Period): string =>
  `/beneficiaries?${new URLSearchParams({ 'created_at|gte': start_date, 'created_at|lte': end_date }).toString()}`

const ageWords: Record<ReaderStats['ages'][number]['band'], string> = {
  '1': 'Moins d’un an',
  '2': 'De 1 à 2 ans',
  '5': 'De 2 à 5 ans',
  '10': 'De 5 à 10 ans',
  more: '10 ans ou plus',
}
