import { sql } from 'kysely'

import type { CountedRow } from '../../contract/counted-rows.ts'
import type { Collection } from '../../contract/list.ts'
import * as call from '../../contract/yearly-report.ts'
import type {
  exportYearlyReport as exportYearlyReportCall,
  listReportRows as listReportRowsCall,
  YearlyReport,
} from '../../contract/yearly-report.ts'
import { cellOf, countedAsToday, type ReportDimension, reportTable } from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import { aMomentAgo, file, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { readCountedRows } from '../stats/counted-rows.ts'
import { ofOneState } from '../stats/parts.ts'
import { countedRows } from './counted.ts'
import { askedReport, readYearlyReport, serializeReport } from './read-yearly-report.ts'

/** The rows behind a figure, from the very relation that counts them. */
async function listReportRows(
  db: Db,
  { query }: VerbInput<typeof listReportRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<CountedRow>>> {
  const outcome = askedReport(query, exchange)
  if (!outcome.ok) return outcome
  const asked = outcome.answer
  const table = reportTable(query.table)
  if (!asked.visibility.rights.has(table.right)) return forbidden()
  const counted = countedRows[table.counts]({
    ...asked,
    tellsHome: table.rows === 'commune' || table.columns === 'commune',
  })
  const partOf = (dimension: ReportDimension | null, key: string | undefined) =>
    key === undefined ? [] : [{ by: (dimension && counted.parts[dimension]) ?? sql`''`, key }]
  const parts = [...partOf(table.rows, query.row), ...partOf(table.columns, query.column)]
  return done(await readCountedRows(db, counted, { parts, page: query.page }))
}

type Line = { table: string; row: string; column: string; value: number | null; remark?: string }

/** A figure a line, « NC » in words where nobody recorded it. */
async function exportYearlyReport(
  reads: ReadInTurn,
  { query }: VerbInput<typeof exportYearlyReportCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const asked = askedReport(query, exchange)
  if (!asked.ok) return asked
  const report = await reads((db) => serializeReport(db, asked.answer, exchange))
  const { parameters, now } = exchange
  return done({
    name: fileName('rapport-annuel', 'xlsx', now, parameters.get('timezone')),
    type: 'xlsx',
    bytes: tableFile(
      {
        title: `Rapport annuel ${report.year}`,
        about: `${parameters.get('work_council')}. À lire à côté du formulaire officiel. ${countedAsToday(parameters.flag('multisite'))}`,
        columns,
        rows: pages(linesOf(report)),
      },
      'xlsx',
      await houseWording(reads),
    ),
  })
}

// oxlint-disable-next-line require-await -- a file is written from pages that are waited for
async function* pages(lines: Line[]): AsyncGenerator<Line[]> {
  yield lines
}

function linesOf({ tables, openings, checks }: YearlyReport): Line[] {
  return [
    ...tables.flatMap(({ code, rows, columns, cells }) => {
      const { title } = reportTable(code)
      const total = { key: null, label: 'Total' }
      return [...rows, total].flatMap((row) =>
        [...columns, total].map((column) => ({
          table: title,
          row: row.label,
          column: column.label,
          value: cellOf(cells, { row: row.key, column: column.key }),
        })),
      )
    }),
    ...openings.flatMap(({ name, days, hours }) => [
      { table: 'Ouverture', row: name, column: 'Jours', value: days },
      { table: 'Ouverture', row: name, column: 'Heures', value: hours },
    ]),
    ...checks.map(({ about, isRight, said }) => ({
      table: 'Vérifications',
      row: about,
      column: said,
      value: null,
      remark: isRight ? 'juste' : 'à regarder',
    })),
  ]
}

const columns: FileColumn<Line>[] = [
  { title: 'Tableau', width: 34, kind: 'text', value: 'table' },
  { title: 'Ligne', width: 28, kind: 'text', value: 'row' },
  { title: 'Colonne', width: 28, kind: 'text', value: 'column' },
  { title: 'Nombre', width: 12, kind: 'count', value: 'value' },
  {
    title: 'Mention',
    width: 14,
    kind: 'text',
    value: ({ value, remark }) => remark ?? (value === null ? 'NC' : null),
  },
]

export const yearlyReportRoutes = [
  aMomentAgo(longRead(call.readYearlyReport, ofOneState(readYearlyReport))),
  aMomentAgo(longRead(call.listReportRows, listReportRows)),
  aMomentAgo(file(call.exportYearlyReport, exportYearlyReport)),
]
