import { stringify } from 'csv-stringify/sync'

import type { FileType } from '../../contract/file-types.ts'
import * as call from '../../contract/imports.ts'
import type {
  exportRefusals as exportRefusalsCall,
  Import,
  ImportRefusal,
  listRefusals as listRefusalsCall,
} from '../../contract/imports.ts'
import { collection, type Collection } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { change, changeAfter, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { withMark } from '../import-files/formula-mark.ts'
import { changeImport, prepareChange, prepareImport, readImport, underWay } from './change-import.ts'
import { forgetPlace, rowsPathOf } from './import-place.ts'
import { findImport, listImports, lockImport, noSuchImport } from './import-queries.ts'
import { bytesOf, type KeptRow, readRowsAt } from './rows-file.ts'
import { startImport } from './run-import.ts'
import { prepareUpload, uploadReferences } from './upload-references.ts'

/** The lines that an import refused, in the order of its file. */
async function listRefusals(
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
  return done(collection(rows, count))
}

/** The refused rows as their file had them: a table with its columns, notices with their bytes. */
async function exportRefusals(
  reads: ReadInTurn,
  { params: { id } }: VerbInput<typeof exportRefusalsCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const found = await reads((db) => findImport(db, id, exchange))
  if (!found) return notFound(noSuchImport)
  const place = await reads((db) =>
    db.selectFrom('imports').select(['place', 'rows_file']).where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const path = rowsPathOf(exchange.environment.files, place)
  const type = typeOf(found)
  async function* places(): AsyncGenerator<number> {
    let after = 0
    // A line may be refused for several reasons, which stand together.
    let before: number | null = null
    for (;;) {
      const some = await reads((db) =>
        db
          .selectFrom('import_refusals')
          .select(['id', 'at'])
          .where('import', '=', id)
          .where('id', '>', after)
          .orderBy('id')
          .limit(500)
          .execute(),
      )
      for (const { at } of some) {
        if (at !== before) yield at
        before = at
      }
      const last = some.at(-1)
      if (!last) return
      after = last.id
    }
  }
  const rows = readRowsAt(path, places())
  const name = fileName('lignes-refusees', type, exchange.now, exchange.parameters.get('timezone'))
  return done({ name, type, bytes: type === 'csv' ? asTable(found, rows) : asNotices(type, rows) })
}

const typeOf = ({ opened: { kind } }: Import): FileType =>
  kind === 'iso2709' ? 'mrc' : kind === 'marcxml' ? 'xml' : 'csv'

/** In UTF-8 with its mark, whatever the file was in, and without a formula that would run: the corrected file is read without asking. */
async function* asTable({ opened }: Import, rows: AsyncIterable<KeptRow>): AsyncGenerator<Uint8Array> {
  const delimiter = opened.delimiter ?? ';'
  const line = (cells: readonly string[]) =>
    Buffer.from(stringify([cells.map(withMark)], { delimiter, quoted_match: /[\r\n]/ }))
  yield Buffer.from('\ufeff')
  if (opened.has_header) yield line(opened.columns.map(({ name }) => name))
  for await (const row of rows) if ('cells' in row && row.cells) yield line(row.cells)
}

async function* asNotices(type: FileType, rows: AsyncIterable<KeptRow>): AsyncGenerator<Uint8Array> {
  if (type === 'xml') yield Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<collection>\n')
  for await (const row of rows) if ('original' in row && row.original) yield bytesOf(row.original)
  if (type === 'xml') yield Buffer.from('\n</collection>\n')
}

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
