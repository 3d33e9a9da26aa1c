import { type RawBuilder, sql } from 'kysely'

import type { Collection, ListQuery } from '../../contract/list.ts'
import type { Reason, Site, Translation } from '../../contract/settings.ts'
import type { Db, Trx } from '../db/environment.ts'
import { type FilterColumn, type ListSource, pageOf, readPage, whereOf } from '../db/list-sql.ts'

type SiteRow = Omit<Site, '@id' | '@type'>
type ReasonRow = Omit<Reason, '@id' | '@type'>

const siteColumns = sql`s.id, s.name, s.enabled, s.gestit_id, s.bar_codes_configuration`

const siteFilters: Record<string, FilterColumn> = {
  id: { column: sql`s.id` },
  name: { column: sql`s.name` },
  enabled: { column: sql`s.enabled` },
}

const siteOrders: Record<string, RawBuilder<unknown>> = { name: sql`search_text(s.name)`, id: sql`s.id` }

const siteOf = (row: SiteRow): Site => ({ '@id': `/api/sites/${row.id}`, '@type': 'Site', ...row })

export async function listSites(db: Db, list: ListQuery): Promise<Collection<Site>> {
  const where = sql`s.deleted_at is null and ${whereOf(list.filters, siteFilters)}`
  const [page, total] = await Promise.all([
    sql<SiteRow>`select ${siteColumns} from sites s where ${where} ${pageOf(list, siteOrders, sql`s.id`)}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from sites s where ${where}`.execute(db),
  ])
  return { 'hydra:member': page.rows.map(siteOf), 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

/** A site that is not deleted, or null. */
export async function findSite(db: Db | Trx, id: number): Promise<Site | null> {
  const { rows } = await sql<SiteRow>`
    select ${siteColumns} from sites s where s.id = ${id} and s.deleted_at is null`.execute(db)
  return rows[0] ? siteOf(rows[0]) : null
}

const reasonColumns = sql`re.id, re.name, re.code, re.type, re.enabled, re.date_update`

const reasonFilters: Record<string, FilterColumn> = {
  id: { column: sql`re.id` },
  type: { column: sql`re.type` },
  enabled: { column: sql`re.enabled` },
  name: { column: sql`re.name` },
  code: { column: sql`re.code` },
}

const reasonOrders: Record<string, RawBuilder<unknown>> = { name: sql`search_text(re.name)`, id: sql`re.id` }

const reasonOf = (row: ReasonRow): Reason => ({ '@id': `/api/reasons/${row.id}`, '@type': 'Reason', ...row })

export async function listReasons(db: Db, list: ListQuery): Promise<Collection<Reason>> {
  const where = sql`re.deleted_at is null and ${whereOf(list.filters, reasonFilters)}`
  const [page, total] = await Promise.all([
    sql<ReasonRow>`
      select ${reasonColumns} from reasons re where ${where} ${pageOf(list, reasonOrders, sql`re.id`)}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from reasons re where ${where}`.execute(db),
  ])
  return { 'hydra:member': page.rows.map(reasonOf), 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

/** Every reason that may be chosen today. */
export async function enabledReasons(db: Db | Trx): Promise<Reason[]> {
  const { rows } = await sql<ReasonRow>`
    select ${reasonColumns} from reasons re where re.enabled and re.deleted_at is null
    order by search_text(re.name), re.id`.execute(db)
  return rows.map(reasonOf)
}

const translations: ListSource<Omit<Translation, '@id' | '@type'>> = {
  columns: sql`t.id, t.code, t.translation`,
  from: sql`translations t`,
  where: sql`true`,
  filters: {
    id: { column: sql`t.id` },
    code: { column: sql`t.code` },
    translation: { column: sql`t.translation` },
  },
  orders: { code: sql`t.code`, translation: sql`search_text(t.translation)`, id: sql`t.id` },
  id: sql`t.id`,
}

export async function listTranslations(db: Db, list: ListQuery): Promise<Collection<Translation>> {
  const { rows, total } = await readPage(db, list, translations)
  const members = rows.map((row) => ({
    '@id': `/api/translations/${row.id}`,
    '@type': 'Translation' as const,
    ...row,
  }))
  return { 'hydra:member': members, 'hydra:totalItems': total }
}
