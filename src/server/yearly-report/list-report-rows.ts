import { sql } from 'kysely'

import { type CountedRow, rowsAPage } from '../../contract/counted-rows.ts'
import type { listReportRows as listReportRowsCall } from '../../contract/yearly-report.ts'
import type { Collection } from '../../contract/list.ts'
import { reportTable } from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import { isBounded } from '../db/planned-cost.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { type CountedRows, countedRows } from './counted.ts'
import { askedReport } from './read-yearly-report.ts'
import { rowsInSlices, type ToldRow, type WantedRows } from './rows-in-slices.ts'

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
  const told = {
    row: counted.parts[table.rows] ?? sql`''`,
    column: (table.columns && counted.parts[table.columns]) ?? sql`''`,
  }
  const isWanted = sql`${query.row === undefined ? sql`true` : sql`by_row = ${query.row}`}
    and ${query.column === undefined ? sql`true` : sql`by_column = ${query.column}`}`
  const wanted = {
    told,
    isWanted,
    offset: (query.page - 1) * rowsAPage,
    limit: rowsAPage,
  }
  const { rows, total } = await (isBounded(db) ? rowsInSlices : rowsInOne)(db, counted, wanted)
  return done({
    'hydra:member': rows.map((row) => ({ '@type': 'CountedRow', kind: counted.kind, ...row })),
    'hydra:totalItems': total,
  })
}

/** In one statement. */
async function rowsInOne(
  db: Db,
  { from, id, label, detail, order }: CountedRows,
  { told, isWanted, offset, limit }: WantedRows,
): Promise<{ rows: ToldRow[]; total: number }> {
  const [all] = await from(db)
  return oneRow(
    db,
    sql`
    with found as materialized (
      select * from (
        select ${id} as id, ${label} as label, ${detail} as detail, ${told.row} as by_row, ${told.column} as by_column,
          row_number() over (order by ${order}) as place
        from ${all}) counted
      where ${isWanted})
    select (select count(*) from found)::int as total,
      (select coalesce(json_agg(json_build_object('id', id, 'label', label, 'detail', detail) order by place), '[]')
        from (select * from found order by place limit ${limit} offset ${offset}) page) as rows`,
  )
}
