import { sql } from 'kysely'

import type { CountedRow } from '../../contract/counted-rows.ts'
import type { Collection } from '../../contract/list.ts'
import type { listReportRows as listReportRowsCall } from '../../contract/yearly-report.ts'
import { type ReportDimension, reportTable } from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { readCountedRows } from '../stats/counted-rows.ts'
import { countedRows } from './counted.ts'
import { askedReport } from './read-yearly-report.ts'

/** The rows behind a figure, from the very relation that counts them. */
export async function listReportRows(
  db: Db,
  { query }: VerbInput<typeof listReportRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<CountedRow>>> {
  const outcome = askedReport(query, exchange)
  if (!outcome.ok) return outcome
  const asked = outcome.answer
  const table = reportTable(query.table)
  if (!asked.sight.rights.has(table.right)) return forbidden()
  const counted = countedRows[table.counts]({
    ...asked,
    tellsHome: table.rows === 'commune' || table.columns === 'commune',
  })
  const partOf = (dimension: ReportDimension | null, key: string | undefined) =>
    key === undefined ? [] : [{ by: (dimension && counted.parts[dimension]) ?? sql`''`, key }]
  const parts = [...partOf(table.rows, query.row), ...partOf(table.columns, query.column)]
  return done(await readCountedRows(db, counted, { parts, page: query.page }))
}
