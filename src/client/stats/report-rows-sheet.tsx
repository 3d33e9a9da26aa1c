import type { CountedRow } from '../../contract/counted-rows.ts'
import { listReportRows, type YearlyReport } from '../../contract/yearly-report.ts'
import { type Counted, reportTable } from '../../domain/yearly-report.ts'
import { call } from '../api/call.ts'
import { CountedRowsSheet } from './counted-rows-sheet.tsx'
import { useStatAddress } from './use-stat-address.ts'

type Asked = { report: YearlyReport; year: string; site: string }

/** What the figure in the address counts, one by one; the back button closes it. */
export function ReportRowsSheet({ report, year, site }: Asked) {
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
