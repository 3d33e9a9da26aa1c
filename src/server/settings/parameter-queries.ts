import { type RawBuilder, sql } from 'kysely'

import type { Collection, ListQuery } from '../../contract/list.ts'
import type { Parameter } from '../../contract/settings.ts'
import type { Db, Trx } from '../db/environment.ts'
import { type FilterColumn, pageOf, whereOf } from '../db/list-sql.ts'

type ParameterRow = Omit<Parameter, '@id' | '@type'>

// A parameter's name is its code (file 1: « GET parameters by name »).
const columns = sql`p.id, p.code, p.code as name, p.value, p.info, p.date_update`

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`p.id` },
  code: { column: sql`p.code` },
  name: { column: sql`p.code` },
}

const orderColumns: Record<string, RawBuilder<unknown>> = { code: sql`p.code`, id: sql`p.id` }

const parameterOf = (row: ParameterRow): Parameter => ({
  '@id': `/api/parameters/${row.id}`,
  '@type': 'Parameter',
  ...row,
})

export async function listParameters(db: Db, list: ListQuery): Promise<Collection<Parameter>> {
  const where = whereOf(list.filters, filterColumns)
  const [page, total] = await Promise.all([
    sql<ParameterRow>`
      select ${columns} from parameters p where ${where} ${pageOf(list, orderColumns, sql`p.id`)}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from parameters p where ${where}`.execute(db),
  ])
  return { 'hydra:member': page.rows.map(parameterOf), 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

/** A parameter, its row locked until the transaction ends, or null. */
export async function lockParameter(trx: Trx, id: number): Promise<Parameter | null> {
  const { rows } =
    await sql<ParameterRow>`select ${columns} from parameters p where p.id = ${id} for update`.execute(trx)
  return rows[0] ? parameterOf(rows[0]) : null
}
