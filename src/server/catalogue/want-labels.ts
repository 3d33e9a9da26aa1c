import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

/** New copies await their labels, but for those whose label was printed before them. */
export async function wantLabelsOf(trx: Trx, copies: readonly number[], now: Date): Promise<void> {
  if (copies.length === 0) return
  await sql`
    insert into label_basket (copy, wanted_at)
    select c.id, ${now.toISOString()} from copies c
    where c.id = any(${[...copies]}::int[]) and c.deleted_at is null
      and not exists (select from code_ranges k where k.bar_codes @> array[c.bar_code])
    on conflict do nothing`.execute(trx)
}
