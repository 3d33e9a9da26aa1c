import { sql } from 'kysely'

import type { listReportRows as listReportRowsCall, ReportRow } from '../../contract/yearly-report.ts'
import type { Collection } from '../../contract/list.ts'
import { reportTable } from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { countedRows } from './counted.ts'
import { askedReport } from './read-yearly-report.ts'

const rowsAPage = 50

/** The rows behind a figure, from the very relation that counts them. */
export async function listReportRows(
  db: Db,
  { query }: VerbInput<typeof listReportRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<ReportRow>>> {
  const outcome = askedReport(query, exchange)
  if (!outcome.ok) return outcome
  const asked = outcome.answer
  const table = reportTable(query.table)
  if (!asked.sight.rights.has(table.right)) return forbidden()
  const { from, parts, kind, id, label, detail, order } = countedRows[table.counts](asked)
  const byRow = parts[table.rows] ?? sql`''`
  const byColumn = (table.columns && parts[table.columns]) ?? sql`''`
  const { rows } = await sql<Pick<ReportRow, 'id' | 'label' | 'detail'> & { total: number }>`
    select found.id, found.label, found.detail, count(*) over ()::int as total
    from (
      select ${id} as id, ${label} as label, ${detail} as detail, ${byRow} as by_row, ${byColumn} as by_column,
        row_number() over (order by ${order}) as place
      from ${from}) found
    where ${query.row === undefined ? sql`true` : sql`found.by_row = ${query.row}`}
      and ${query.column === undefined ? sql`true` : sql`found.by_column = ${query.column}`}
    order by found.place limit ${rowsAPage} offset ${(query.page - 1) * rowsAPage}`.execute(db)
  return done({
    'hydra:member': rows.map(({ id: number, label: words, detail: more }) => ({
      '@type': 'ReportRow',
      kind,
      id: number,
      label: words,
      detail: more,
    })),
    'hydra:totalItems': rows[0]?.total ?? 0,
  })
}
