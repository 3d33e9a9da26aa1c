import { sql } from 'kysely'

import type { listCommunes as listCommunesCall } from '../../contract/beneficiary-changes.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { readerOpen } from '../sight/sight.ts'

const mostProposed = 200

export async function listCommunes(
  db: Db,
  { sight }: Pick<Exchange, 'sight'>,
): Promise<AnswerOf<typeof listCommunesCall>> {
  const { rows } = await sql<{ name: string }>`
    select b.commune as name from beneficiaries b
    where b.commune is not null and b.deleted_at is null and ${readerOpen(sight)}
    group by b.commune order by count(*) desc, b.commune limit ${mostProposed}`.execute(db)
  return { 'hydra:member': rows, 'hydra:totalItems': rows.length }
}
