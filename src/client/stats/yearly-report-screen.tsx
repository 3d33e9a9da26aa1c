import { Select, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import type { CountedRow } from '../../contract/counted-rows.ts'
import {
  exportYearlyReport,
  listReportRows,
  readYearlyReport,
  type FilledReportTable,
  type YearlyReport,
} from '../../contract/yearly-report.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import {
  cellOf,
  type Counted,
  countedAsToday,
  reportDimensions,
  reportTable,
} from '../../domain/yearly-report.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords, useInWords } from '../page/house-words.ts'
import { allSites } from '../session/site-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { useTextParameter } from '../settings/parameter-data.ts'
import { CountedRowsSheet } from './counted-rows-sheet.tsx'
import { useExcelAction } from './use-excel-action.ts'
import { FiguresTable } from './figures-table.tsx'
import { SiteField, useAskedSite } from './site-field.tsx'
import { statsQuery } from './stat-data.ts'
import { Panels, StatPanel } from './stat-panel.tsx'
import { StatScreen } from './stat-screen.tsx'
import styles from './stats.module.css'
import { useStatAddress } from './use-stat-address.ts'

const total = { key: null, label: 'Total' } as const

/** One table of the yearly report; each figure that counts something leads to it. */
function ReportTablePanel({ table: { code, rows, columns, cells } }: { table: FilledReportTable }) {
  const { title, about, rows: by } = reportTable(code)
  const { search } = useStatAddress()
  const valueOf = (row: string | null, column: string | null) => {
    const value = cellOf(cells, { row, column })
    if (value === null) return 'NC'
    const words = frenchNumber(value)
    if (value === 0) return words
    const to = new URLSearchParams(search)
    to.set('table', code)
    if (row !== null) to.set('row', row)
    if (column !== null) to.set('column', column)
    return { words, to: `?${to.toString()}` }
  }
  return (
    <StatPanel title={title}>
      <Text c="dimmed" size="sm" mb="xs">
        {inWords(about)}
      </Text>
      <FiguresTable
        isWhole
        label={title}
        titles={[reportDimensions[by].title, ...columns.map(({ label }) => label), 'Total']}
        rows={[...rows, total].map(({ key, label }) => ({
          key: key ?? 'total',
          name: label,
          isTotal: key === null,
          values: [...columns, total].map((column) => valueOf(key, column.key)),
        }))}
      />
    </StatPanel>
  )
}

type Asked = { report: YearlyReport; year: string; site: string }

/** What the figure in the address counts, one by one; the back button closes it. */
function ReportRowsSheet({ report, year, site }: Asked) {
  const { search, change } = useStatAddress()
  const table = report.tables.find(({ code }) => code === search.get('table'))
  if (!table) return null
  const [row, column] = [search.get('row'), search.get('column')]
  const nameOf = (parts: readonly { key: string; label: string }[], key: string | null) =>
    key === null ? null : (parts.find((part) => part.key === key)?.label ?? key)
  const { title, counts } = reportTable(table.code)
  const words = [title, nameOf(table.rows, row), nameOf(table.columns, column)]
  const query = {
    year,
    site,
    table: table.code,
    ...(row === null ? {} : { row }),
    ...(column === null ? {} : { column }),
  }
  return (
    <CountedRowsSheet
      key={JSON.stringify(query)}
      title={words.filter((word) => word !== null).join(' · ')}
      kind={kinds[counts]}
      onClose={() => change({ table: '', row: '', column: '' })}
      asked={[listReportRows.name, query]}
      read={(page, signal) => call(listReportRows, { query: { ...query, page }, signal })}
    />
  )
}

const kinds: Record<Counted, CountedRow['kind']> = {
  held: 'copy',
  acquired: 'copy',
  withdrawn: 'copy',
  borrowers: 'reader',
  loans: 'loan',
}

/** What a public library tells each year, each figure opening what it counts. */
export default function YearlyReportScreen() {
  const { search, change } = useStatAddress()
  const today = useToday()
  const thisYear = Number(today.slice(0, 4))
  const written = search.get('year') ?? ''
  const isYear = /^20\d\d$/.test(written) && Number(written) <= thisYear
  const year = isYear ? written : String(thisYear - 1)
  const site = useAskedSite()
  const told = useQuery(statsQuery(readYearlyReport, { year, site }))
  const whose = useWhose(site)
  const isUnknown = told.data === undefined
  const excel = useExcelAction(isUnknown, () =>
    call(exportYearlyReport, { query: { year, site, export_type: 'xlsx' } }),
  )
  return (
    <StatScreen
      title="Rapport annuel"
      asked={told}
      figures={0}
      filters={
        <search className={styles['filters']}>
          <Select
            label="Année"
            data={Array.from({ length: 10 }, (_, at) => String(thisYear - at))}
            value={year}
            allowDeselect={false}
            onChange={(next) => change({ year: next ?? '' })}
          />
          <SiteField site={site} />
        </search>
      }
      chosen={year}
      actions={[{ label: 'Imprimer', Icon: IconPrinter, onRun: () => print(), isDisabled: isUnknown }, excel]}
    >
      {(report) => (
        <>
          <Told report={report} of={whose} />
          <ReportRowsSheet report={report} year={year} site={site} />
        </>
      )}
    </StatScreen>
  )
}

function Told({ report, of }: { report: YearlyReport; of: string }) {
  const { year, period, tables, openings, checks } = report
  const isMultisite = useIsMultisite()
  const inWords = useInWords()
  const isOver = period.end_date.endsWith('-12-31')
  return (
    <>
      <Text fw={600}>{of}</Text>
      <Text c="dimmed" maw="52rem">
        {isOver ? `Année ${year}.` : `Année ${year}, jusqu’au ${frenchDay(period.end_date)}.`} À lire à côté
        du formulaire officiel, qui peut compter autrement. «&nbsp;NC&nbsp;» est ce que personne n’a noté, et
        n’est pas zéro.
      </Text>
      <Text c="dimmed" maw="52rem">
        {inWords(countedAsToday(isMultisite))}
      </Text>
      <StatPanel title="À vérifier avant l’envoi">
        <ul className={styles['checks']}>
          {checks.map(({ about, isRight, said }) => (
            <li key={about} data-right={isRight}>
              {isRight ? (
                <IconCheck size="1.25rem" aria-label="Juste" />
              ) : (
                <IconAlertTriangle size="1.25rem" aria-label="À regarder" />
              )}
              <span>
                <strong>{about}</strong>&#8239;: {said}
              </span>
            </li>
          ))}
        </ul>
      </StatPanel>
      <Panels isWide>
        {tables.map((table) => (
          <ReportTablePanel key={table.code} table={table} />
        ))}
        <StatPanel title="Ouverture">
          <FiguresTable
            isWhole
            label="Ouverture"
            titles={['Site', 'Jours', 'Par semaine', 'Heures']}
            rows={openings.map(({ id, name, days, weekly_hours, hours }) => ({
              key: String(id),
              name,
              values: [
                frenchNumber(days),
                weekly_hours === null ? 'NC' : `${frenchNumber(weekly_hours)} h`,
                hours === null ? 'NC' : frenchNumber(hours),
              ],
            }))}
          />
        </StatPanel>
      </Panels>
    </>
  )
}

/** The library and the site: on paper, nothing else says whose figures these are. */
function useWhose(site: string): string {
  const organisation = useTextParameter('work_council')
  const sites = useSession()?.user?.sites ?? []
  const isMultisite = useIsMultisite()
  const name = [allSites, ...sites].find(({ id }) => String(id) === site)?.name
  return [organisation, isMultisite ? name : ''].filter(Boolean).join(' · ')
}
