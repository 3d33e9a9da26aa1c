import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

const between = ' ; '
const joined = sql`string_agg(v.name, ${between} order by l.position, v.id)`

/** Which references: those of a function, of a value, or one. */
type Which = { type: number } | { value: number } | { reference: number }

/** Each reference of these with what all its main authors say together, as words and as JSON: a distributed engine makes JSON of no column while it updates. */
function fedAuthors(which: Which) {
  const among =
    'type' in which
      ? sql`l.reference in (
          select o.reference from reference_list_values o join list_values ov on ov.id = o.list_value
          where ov.type = ${which.type})`
      : 'value' in which
        ? sql`l.reference in (select o.reference from reference_list_values o where o.list_value = ${which.value})`
        : sql`l.reference = ${which.reference}`
  return sql`
    select l.reference, ${joined} as names, to_jsonb(${joined}) as author
    from reference_list_values l
    join list_values v on v.id = l.list_value
    join list_types t on t.id = v.type and t.is_main_author
    where ${among} group by l.reference`
}

/** Writes the values of main authors as the author by which references are read, found and exported. */
export const feedingMainAuthor = (which: Which) => sql`
  update "references" r set tags = jsonb_set(r.tags, '{author}', fed.author)
  from (${fedAuthors(which)}) fed
  where r.id = fed.reference and r.tags ->> 'author' is distinct from fed.names`

/** The same for references that were given a value, each with a new version, which whoever has it open is told of. */
export async function renewReferences(trx: Trx, value: number, references: readonly number[]): Promise<void> {
  await sql`
    update "references" r
    set name = r.name,
      tags = case when fed.names is null then r.tags else jsonb_set(r.tags, '{author}', fed.author) end
    from unnest(${references}::int[]) renewed (id)
    left join (${fedAuthors({ value })}) fed on fed.reference = renewed.id
    where r.id = renewed.id`.execute(trx)
}

export const feedMainAuthor = (trx: Trx, which: Which) => feedingMainAuthor(which).execute(trx)

/** Takes away the author that such values say, before they no longer do; what was written by hand stays. */
export async function unfeedMainAuthor(trx: Trx, which: Which): Promise<void> {
  await sql`
    update "references" r set tags = r.tags - 'author'
    from (${fedAuthors(which)}) fed
    where r.id = fed.reference and r.tags ->> 'author' = fed.names`.execute(trx)
}

/** The author as a reference's main authors say it, or null where it has none. */
export const mainAuthorOf = (reference: number) => sql<string | null>`(
  select ${joined}
  from reference_list_values l
  join list_values v on v.id = l.list_value
  join list_types t on t.id = v.type and t.is_main_author
  where l.reference = ${reference})`
