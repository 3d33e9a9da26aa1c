import { type RawBuilder, sql } from 'kysely'

import type { Medium } from '../../contract/catalogue.ts'
import type { Collection, ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { type FilterColumn, pageOf, whereOf } from '../db/list-sql.ts'
import { seenByAll } from '../sight/sight.ts'

type MediumRow = Omit<Medium, '@id' | '@type'>

const columns = sql`
  m.id, m.name, m.code, m.accounting_code, m.enabled, m.duration, m.duration_type, m.start_day, m.end_day, m.penalty_enabled,
  m.penalty_amount, m.penalty_duration_type, m.max_loaning, m.max_late, m.online_booking_enabled,
  m.loaning_conditions_enabled, m.loaning_conditions_label, m.loaning_conditions_file, m.eligibility`

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`m.id` },
  name: { column: sql`m.name` },
  enabled: { column: sql`m.enabled` },
}

const orderColumns: Record<string, RawBuilder<unknown>> = { name: sql`search_text(m.name)`, id: sql`m.id` }

const mediumOf = (row: MediumRow): Medium => ({ '@id': `/api/media/${row.id}`, '@type': 'Medium', ...row })

export async function listMedia(db: Db, list: ListQuery): Promise<Collection<Medium>> {
  const where = sql`m.deleted_at is null and ${whereOf(seenByAll, list.filters, filterColumns)}`
  const [page, total] = await Promise.all([
    sql<MediumRow>`select ${columns} from media m where ${where} ${pageOf(list, orderColumns, sql`m.id`)}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from media m where ${where}`.execute(db),
  ])
  return { 'hydra:member': page.rows.map(mediumOf), 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

/** Media out of use too, because their copies may still be lent out. */
export async function allMedia(db: Db | Trx): Promise<Medium[]> {
  const { rows } = await sql<MediumRow>`
    select ${columns} from media m where m.deleted_at is null order by search_text(m.name), m.id`.execute(db)
  return rows.map(mediumOf)
}
