import { sql } from 'kysely'

import type { listAgencies as listAgenciesCall } from '../../contract/beneficiaries.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { ListQuery } from '../../contract/list.ts'
import type { Db } from '../db/handles.ts'
import { type ListSource, readPage } from '../db/list-sql.ts'
import { seenByAll } from '../sight/sight.ts'

const agencies: ListSource<{ id: number; name: string }> = {
  columns: sql`s.id, s.name`,
  from: sql`sites s`,
  where: sql`s.enabled and s.deleted_at is null`,
  seen: seenByAll,
  filters: { id: { column: sql`s.id` }, name: { column: sql`s.name` } },
  orders: { name: sql`search_text(s.name)`, id: sql`s.id` },
  id: sql`s.id`,
}

export async function listAgencies(db: Db, list: ListQuery): Promise<AnswerOf<typeof listAgenciesCall>> {
  const { rows, total } = await readPage(db, list, agencies)
  const members = rows.map((row) => ({
    '@id': `/api/agencies/${row.id}`,
    '@type': 'Agency' as const,
    ...row,
  }))
  return { 'hydra:member': members, 'hydra:totalItems': total }
}
