import { sql } from 'kysely'

import { type Parameter, parameters } from '../../contract/settings.ts'
import type { Trx } from '../db/handles.ts'
import { source } from '../db/lists/source.ts'
import { seenByAll } from '../visibility/visibility.ts'

export const parameterRows = source(parameters, {
  from: sql`parameters p`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`p.id`,
  columns: {
    code: sql`p.code`,
    name: sql`p.code`,
    value: sql`p.value`,
    info: sql`p.info`,
    date_update: sql`p.date_update`,
  },
})

export async function lockParameter(trx: Trx, id: number): Promise<Parameter | null> {
  await sql`select from parameters where id = ${id} for update`.execute(trx)
  return parameterRows.find(trx, id)
}

/** In the order of their ids, so that two changes at once never wait for each other. */
export async function lockParameters(
  trx: Trx,
  { codes, ids }: { codes: readonly string[]; ids: readonly number[] },
): Promise<Parameter[]> {
  const among = sql`(p.code = any(${[...codes]}::text[]) or p.id = any(${[...ids]}::int[]))`
  await sql`select from parameters p where ${among} order by p.id for update`.execute(trx)
  return parameterRows.every(trx, among)
}
