import * as call from '../../contract/imports.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import { change, changeAfter, file, longRead, read } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { changeImport, prepareChange, prepareImport, readImport, underWay } from './change-import.ts'
import { exportRefusals } from './export-refusals.ts'
import { findImport, listImports, lockImport, noSuchImport } from './import-queries.ts'
import { listRefusals } from './list-refusals.ts'
import { prepareUpload, uploadReferences } from './upload-references.ts'
import { forgetPlace } from './import-place.ts'
import { startImport } from './run-import.ts'

export const importRoutes = [
  longRead(call.imports.list, async (db, { list }, exchange) => done(await listImports(db, list, exchange))),
  read(call.getImport, async (db, { params: { id } }, exchange) => {
    const found = await findImport(db, id, exchange)
    return found ? done(found) : notFound(noSuchImport)
  }),
  changeAfter(call.uploadReferences, prepareUpload, uploadReferences),
  changeAfter(call.readImport, prepareImport, readImport),
  changeAfter(call.changeImport, prepareChange, changeImport),
  change(call.checkImport, (trx, input, exchange) => startImport(trx, input, exchange, true)),
  change(call.runImport, (trx, input, exchange) => startImport(trx, input, exchange, false)),
  change(call.forgetImport, forgetImport),
  read(call.listRefusals, listRefusals),
  file(call.exportRefusals, exportRefusals),
]

/** Its file goes with it; what it brought stays, and is undone as an act. */
async function forgetImport(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.forgetImport>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const kept = await lockImport(trx, id)
  const found = kept && (await findImport(trx, id, exchange))
  if (!found) return notFound(noSuchImport)
  if (found.status === 'checking' || found.status === 'running') return underWay
  await trx.deleteFrom('imports').where('id', '=', id).execute()
  const { files } = exchange.environment
  return { ok: true, answer: null, afterwards: () => forgetPlace(files, kept.place) }
}
