import { type RawBuilder, sql } from 'kysely'

/** The rows of a relation by one of its columns, named by another table: the largest part first, what has none too. */
export const partsOf = (
  relation: RawBuilder<unknown>,
  { column, table, count = sql`count(*)` }: PartsOf,
): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', part.id, 'name', part.name, 'count', part.count)
    order by part.count desc, part.name, part.id), '[]')
  from (
    select counted.id, named.name, counted.count
    from (select x.${sql.ref(column)} as id, ${count} as count from ${relation} x group by 1) counted
      left join ${sql.table(table)} named on named.id = counted.id
    where counted.count <> 0
  ) part)`

type PartsOf = {
  column: 'category' | 'medium' | 'site' | 'agency_id'
  table: 'categories' | 'media' | 'sites'
  count?: RawBuilder<unknown>
}
