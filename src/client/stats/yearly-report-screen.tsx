import { Button, Select, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { exportYearlyReport, readYearlyReport, type YearlyReport } from '../../contract/yearly-report.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { countedAsToday } from '../../domain/yearly-report.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { useInWords } from '../page/house-words.ts'
import { allSites } from '../session/site-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { useTextParameter } from '../settings/parameter-data.ts'
import { ExcelButton } from './excel-button.tsx'
import { FiguresTable } from './figures-table.tsx'
import { ReportTablePanel } from './report-table-panel.tsx'
import { ReportRowsSheet } from './report-rows-sheet.tsx'
import { SiteField, useAskedSite } from './site-field.tsx'
import { statsQuery } from './stat-data.ts'
import { Panels, StatPanel } from './stat-panel.tsx'
import { StatScreen } from './stat-screen.tsx'
import styles from './stats.module.css'
import { useStatAddress } from './use-stat-address.ts'

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
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconPrinter size="1.2em" aria-hidden />}
            disabled={told.data === undefined}
            onClick={() => print()}
          >
            Imprimer
          </Button>
          <ExcelButton
            isDisabled={told.data === undefined}
            fetch={() => call(exportYearlyReport, { query: { year, site, export_type: 'xlsx' } })}
          />
        </>
      }
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
