import type { ImportRefusal, listRefusals as listRefusalsCall } from '../../contract/imports.ts'
import type { Collection } from '../../contract/list.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { findImport, noSuchImport } from './import-queries.ts'

/** The lines that an import refused, in the order of its file. */
export async function listRefusals(
  db: Db,
  { params: { id }, list: { page, limit } }: VerbInput<typeof listRefusalsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<ImportRefusal>>> {
  if (!(await findImport(db, id, exchange))) return notFound(noSuchImport)
  const of = db.selectFrom('import_refusals').where('import', '=', id)
  const rows = await of
    .select(['id', 'line', 'field', 'reason'])
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { count } = await of.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return done({ 'hydra:member': rows, 'hydra:totalItems': count })
}
