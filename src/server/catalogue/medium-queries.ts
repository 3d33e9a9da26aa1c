import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { type MemberOf, collection, type ListQuery } from '../../contract/list.ts'
import { media, type Medium } from '../../contract/media.ts'
import { type listAnalytics as listAnalyticsCall } from '../../contract/medium-changes.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readPage } from '../db/lists/list-sql.ts'
import { source } from '../db/lists/source.ts'
import { seenByAll } from '../visibility/visibility.ts'

/** A file is kept under its own hash, which is also its version. */
export const versionOf = (path: RawBuilder<unknown>) => sql`substring(${path} from '[0-9a-f]{32}')`

const rules = {
  name: sql`m.name`,
  code: sql`m.code`,
  accounting_code: sql`m.accounting_code`,
  enabled: sql`m.enabled`,
  duration: sql`m.duration`,
  duration_type: sql`m.duration_type`,
  start_day: sql`m.start_day`,
  end_day: sql`m.end_day`,
  penalty_enabled: sql`m.penalty_enabled`,
  penalty_amount: sql`m.penalty_amount`,
  penalty_duration_type: sql`m.penalty_duration_type`,
  max_loaning: sql`m.max_loaning`,
  max_late: sql`m.max_late`,
  online_booking_enabled: sql`m.online_booking_enabled`,
  loaning_conditions_enabled: sql`m.loaning_conditions_enabled`,
  loaning_conditions_label: sql`m.loaning_conditions_label`,
  loaning_conditions_file: sql`'/api/media/' || m.id || '/conditions?version=' || ${versionOf(sql`m.loaning_conditions_file`)}`,
  eligibility: sql`m.eligibility`,
}

export const mediumRows = source(media, {
  from: sql`media m left join (
    select r.medium, count(*) as ref_count from "references" r where r.deleted_at is null group by r.medium
  ) counted on counted.medium = m.id`,
  where: sql`m.deleted_at is null`,
  seen: seenByAll,
  id: sql`m.id`,
  columns: {
    ...rules,
    max_renewals: sql`m.max_renewals`,
    analytic: sql`coalesce((
      select json_agg(json_build_object('site', a.site, 'analytic', a.analytic) order by a.site)
      from media_analytics a where a.medium = m.id), '[]')`,
    images_sources: sql`(select string_to_array(i.rule, ',') from media_images_sources i where i.medium = m.id)`,
    ref_count: sql`coalesce(counted.ref_count, 0)`,
    date_update: sql`m.date_update`,
  },
  sorts: { name: sql`search_text(m.name)`, code: sql`search_text(m.code)` },
})

/** Media out of use too, because their copies may still be lent out. */
export async function allMedia(db: Db | Trx): Promise<Medium[]> {
  const columns = Object.entries(rules).map(([name, column]) => sql`${column} as ${sql.ref(name)}`)
  const { rows } = await sql<Omit<Medium, '@id' | '@type'>>`
    select m.id, ${sql.join(columns)} from media m where m.deleted_at is null
    order by search_text(m.name), m.id`.execute(db)
  return rows.map((row) => ({ '@id': `/api/media/${row.id}`, '@type': 'Medium', ...row }))
}

type Analytics = AnswerOf<typeof listAnalyticsCall>
type Analytic = MemberOf<Analytics>

export async function listAnalytics(db: Db, list: ListQuery): Promise<Analytics> {
  const { rows, total } = await readPage(db, list, {
    columns: sql<Pick<Analytic, 'medium' | 'site' | 'analytic'>>`
      json_build_object('id', m.id, 'name', m.name) as medium,
      json_build_object('id', s.id, 'name', s.name) as site, a.analytic`,
    from: sql`media_analytics a join media m on m.id = a.medium join sites s on s.id = a.site`,
    where: sql`m.deleted_at is null and s.deleted_at is null`,
    seen: seenByAll,
    filters: {
      medium: { column: sql`a.medium` },
      site: { column: sql`a.site` },
      analytic: { column: sql`a.analytic` },
    },
    orders: { medium: sql`search_text(m.name)`, site: sql`search_text(s.name)`, analytic: sql`a.analytic` },
    id: sql`(m.id, s.id)`,
  })
  const members = rows.map((row) => {
    const id = `${row.medium.id}-${row.site.id}`
    return { '@id': `/api/analytic/${id}`, '@type': 'Analytic' as const, id, ...row }
  })
  return collection(members, total)
}
