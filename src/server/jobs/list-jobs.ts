import { sql } from 'kysely'

import { type Job, jobs } from '../../contract/jobs.ts'
import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { Db } from '../db/handles.ts'
import { type ListSource, readPage } from '../db/lists/list-sql.ts'
import { read } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done } from '../http/outcome.ts'
import { ownJobs } from '../visibility/visibility.ts'

type Row = Omit<Job, '@id' | '@type'>

const reading: Omit<ListSource<Row>, 'seen'> = {
  columns: sql`j.id, j.kind, j.status, j.total, j.done, j.problem, j.created_at, j.ended_at`,
  from: sql`jobs j`,
  where: sql`true`,
  id: sql`j.id`,
  filters: { id: { column: sql`j.id` }, kind: { column: sql`j.kind` }, status: { column: sql`j.status` } },
  orders: { created_at: sql`j.created_at`, id: sql`j.id` },
}

async function listJobs(db: Db, list: ListQuery, { caller }: Exchange): Promise<Collection<Job>> {
  const { rows, total } = await readPage(db, list, { ...reading, seen: ownJobs(caller.user_id) })
  const members = rows.map((row) => ({ '@id': `/api/jobs/${row.id}`, '@type': 'Job' as const, ...row }))
  return collection(members, total)
}

export const jobRoutes = [
  read(jobs.list, async (db, { list }, exchange) => done(await listJobs(db, list, exchange))),
]
