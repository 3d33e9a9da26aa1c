import { stringify } from 'csv-stringify/sync'

import type { exportRefusals as exportRefusalsCall, Import } from '../../contract/imports.ts'
import type { FileType } from '../../contract/file-types.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import { withMark } from '../import-files/formula-mark.ts'
import { rowsPathOf } from './import-place.ts'
import { findImport, noSuchImport } from './import-queries.ts'
import { bytesOf, type KeptRow, readRowsAt } from './rows-file.ts'

/** The refused rows as their file had them: a table with its columns, notices with their bytes. */
export async function exportRefusals(
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
