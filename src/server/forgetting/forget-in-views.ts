import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

export type Known = {
  ids: readonly number[]
  /** Their names in full, addresses and telephones. */
  names: readonly string[]
  /** Of cards and matricules, which in other filters are numbers of something else. */
  numbers: readonly string[]
}

/** A kept view that seeks one of these readers, or is called by their name, goes with them, and so does what the journal calls it. */
export async function forgetInViews(trx: Trx, { ids, names, numbers }: Known): Promise<void> {
  await sql`
    with sought as (
      select w.id, split_part(f.key, '|', 1) as field, f.value
      from views w cross join jsonb_each_text(w.content -> 'filters') f),
    named as (
      select id, value from sought where field ~ 'name|search|email|phone'
      union all select id, name from views)
    delete from views where id in (
      select id from sought
      where field in ('beneficiary', 'beneficiary_id') and value = any(${ids}::int[]::text[])
        or field ~ 'matricule|reader|search' and value = any(${numbers}::text[])
      union
      select named.id from named join unnest(${names}::text[]) known
        on position(search_text(known) in search_text(named.value)) > 0)`.execute(trx)
  // Also of those that were renamed or removed before.
  await sql`
    update audit_journal j set before = before - 'name', after = after - 'name'
    where j.entity = 'views' and exists (
      select from unnest(${names}::text[]) known
      where position(search_text(known) in search_text(concat_ws(' / ', j.before ->> 'name', j.after ->> 'name'))) > 0)`.execute(
    trx,
  )
}
