import { sql } from 'kysely'

import { keeperRights } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import { heldRights } from '../library-facts/held-rights.ts'
import { conflict } from '../http/outcome.ts'

/** Enabled people who hold both rights, and those of them who work at every site. */
type Keepers = { all: number; everywhere: number }

/** Of two changes that may take rights away, the second waits for the first; call it before other locks. */
export async function lockKeepers(trx: Trx): Promise<Keepers> {
  await sql`select from rights where code = 'PARAMETER_LAW' for no key update`.execute(trx)
  return readKeepers(trx)
}

async function readKeepers(trx: Trx): Promise<Keepers> {
  const { rows } = await sql<Keepers>`
    select count(*)::integer as "all", count(*) filter (
      where not exists (select from user_sites us where us.user_id = u.id))::integer as everywhere
    from users u where u.enabled and u.deleted_at is null and (
      select count(*) from ${heldRights(sql`u.id`, sql`u.profile`)} held
      where held.right_code = any(${[...keeperRights]})
    ) = ${keeperRights.length}`.execute(trx)
  return rows[0] ?? { all: 0, everywhere: 0 }
}

/** Refuses a change, already written, after which nobody is left to give rights. */
export async function keepersRefusal(trx: Trx, before: Keepers) {
  const after = await readKeepers(trx)
  if (before.all > 0 && after.all === 0) {
    return conflict(
      'LAST_KEEPER',
      'Personne ne pourrait plus gérer les droits et les utilisateurs\u202f: donnez d’abord ces deux droits à quelqu’un d’autre.',
    )
  }
  if (before.everywhere > 0 && after.everywhere === 0) {
    return conflict(
      'LAST_KEEPER',
      'Personne ne pourrait plus gérer les droits et les utilisateurs de tous les sites\u202f: donnez d’abord ces deux droits à quelqu’un d’autre.',
    )
  }
  return null
}
