import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { listRights as listRightsCall, Profile } from '../../contract/profiles.ts'
import { adminProfile, type Right, rightCodes } from '../../domain/rights.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readPage } from '../db/lists/list-sql.ts'
import { seenByAll } from '../visibility/visibility.ts'

type Row = { id: number; name: string; rights: Right[]; second_factor: boolean; user_count: number }

const columns = sql<Row>`p.id, p.name, p.second_factor,
  coalesce((select array_agg(right_code) from profile_rights where profile = p.id), '{}') as rights,
  (select count(*)::integer from users u where u.profile = p.id and u.deleted_at is null) as user_count`

function profileOf({ id, name, rights, second_factor, user_count }: Row): Profile {
  const held = new Set(rights)
  return {
    '@id': `/api/profiles/${id}`,
    '@type': 'Profile',
    id,
    name,
    rights: rightCodes.filter((code) => held.has(code)),
    second_factor,
    user_count,
    is_admin: name === adminProfile,
  }
}

export async function listProfiles(db: Db, list: ListQuery): Promise<Collection<Profile>> {
  const { rows, total } = await readPage<Row>(db, list, {
    columns,
    from: sql`profiles p`,
    where: sql`true`,
    seen: seenByAll,
    filters: { id: { column: sql`p.id` }, name: { column: sql`p.name` } },
    orders: { name: sql`search_text(p.name)`, id: sql`p.id` },
    id: sql`p.id`,
  })
  return collection(rows.map(profileOf), total)
}

export async function findProfile(trx: Db | Trx, id: number): Promise<Profile | null> {
  const { rows } = await sql<Row>`select ${columns} from profiles p where p.id = ${id}`.execute(trx)
  return rows[0] ? profileOf(rows[0]) : null
}

export async function listRights(db: Db, list: ListQuery): Promise<AnswerOf<typeof listRightsCall>> {
  const { rows, total } = await readPage(db, list, {
    columns: sql<{ code: string; group_id: string; group_name: string; label: string }>`r.*`,
    from: sql`rights r`,
    where: sql`r.code = any(${rightCodes})`,
    seen: seenByAll,
    filters: {
      code: { column: sql`r.code` },
      group_id: { column: sql`r.group_id` },
      label: { column: sql`r.label` },
    },
    orders: { code: sql`r.code`, group_id: sql`r.group_id`, label: sql`search_text(r.label)` },
    id: sql`r.code`,
  })
  return collection(
    rows.map((row) => ({
      '@id': `/api/rights/${row.code}`,
      '@type': 'Right',
      id: row.code,
      ...row,
    })),
    total,
  )
}
