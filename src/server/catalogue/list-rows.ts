import { type RawBuilder, sql } from 'kysely'

import { listTypes } from '../../contract/list-types.ts'
import { listValues } from '../../contract/list-values.ts'
import { referenceFields } from '../../contract/reference-fields.ts'
import type { Db, Trx } from '../db/handles.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import { whileUsed } from '../http/bind-resource.ts'
import type { Refused } from '../http/outcome.ts'
import { seenByAll } from '../visibility/visibility.ts'

/** How often references that are there carry values that meet a condition on l and v. */
const linksOf = (which: RawBuilder<unknown>) => sql<number>`(
  select count(*)::integer from reference_list_values l
  join list_values v on v.id = l.list_value
  join "references" r on r.id = l.reference and r.deleted_at is null where ${which})`

export const listTypeRows = source(listTypes, {
  from: sql`list_types lt left join (
    select v.type, count(*) as nb_links from reference_list_values l
    join list_values v on v.id = l.list_value
    join "references" r on r.id = l.reference and r.deleted_at is null group by v.type
  ) counted on counted.type = lt.id`,
  where: sql`lt.deleted_at is null`,
  seen: seenByAll,
  id: sql`lt.id`,
  columns: {
    name: sql`lt.name`,
    group: sql`lt."group"`,
    isMainAuthor: sql`lt.is_main_author`,
    medium: sql`coalesce((
      select json_agg(json_build_object('id', m.id, 'name', m.name) order by search_text(m.name))
      from list_type_media tm join media m on m.id = tm.medium and m.deleted_at is null
      where tm.list_type = lt.id), '[]')`,
    enabled: sql`lt.enabled`,
    nb_links: sql`coalesce(counted.nb_links, 0)`,
    date_update: sql`lt.date_update`,
  },
  sorts: { name: sql`search_text(lt.name)` },
})

export const listValueRows = source(listValues, {
  from: sql`list_values lv join list_types lt on lt.id = lv.type`,
  where: sql`lv.deleted_at is null`,
  seen: seenByAll,
  id: sql`lv.id`,
  columns: {
    name: sql`lv.name`,
    type: sql`json_build_object('id', lt.id, 'name', lt.name)`,
    group: sql`lv."group"`,
    enabled: sql`lv.enabled`,
    ref_count: linksOf(sql`l.list_value = lv.id`),
    date_update: sql`lv.date_update`,
  },
  filters: { type: { column: sql`lv.type` }, 'type.name': { column: sql`lt.name` } },
  sorts: { name: sql`search_text(lv.name)`, 'type.name': sql`search_text(lt.name)` },
})

export const referenceFieldRows = source(referenceFields, {
  from: sql`reference_fields rf`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`rf.id`,
  columns: ownColumns('rf', 'code', 'name', 'traduction', 'disabled', 'date_update'),
  sorts: {
    name: sql`search_text(rf.name)`,
    traduction: sql`search_text(rf.traduction)`,
    position: sql`rf.position`,
  },
})

/** How often references carry values of a function. */
export async function countLinks(db: Db, type: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${linksOf(sql`v.type = ${type}`)} as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Refuses to remove what references carry: a value, or any of a function. */
export async function whileCarried(
  trx: Trx,
  of: { value: number } | { type: number },
  what: string,
): Promise<Refused | null> {
  const among = 'value' in of ? sql`l.list_value = ${of.value}` : sql`v.type = ${of.type}`
  const { rows } = await sql<{ count: number }>`
    select count(distinct l.reference)::int as count
    from reference_list_values l join list_values v on v.id = l.list_value
    join "references" r on r.id = l.reference and r.deleted_at is null
    where ${among}`.execute(trx)
  return whileUsed(rows[0]?.count ?? 0, {
    one: `Une référence porte ${what}`,
    many: `références portent ${what}`,
  })
}
