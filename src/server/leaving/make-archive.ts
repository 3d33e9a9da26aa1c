import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { readParameters } from '../db/parameters.ts'
import { coverFile, coverSides } from '../files/cover-files.ts'
import { pathOfPicture } from '../files/drawn-picture.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { type ArchiveTable, cellSql, csvLine } from './archive-table.ts'
import {
  archiveTables,
  archiveVersion,
  conditionsFile,
  imageFile,
  manifestFile,
  noticesFile,
  pageFile,
} from './archive-tables.ts'
import { readMePage } from './read-me-page.ts'
import { writtenNotices } from './write-notices.ts'
import { openZip, type ZipWriter } from './zip-writer.ts'

type Making = {
  /** Of one instant, for as long as it is read. */
  trx: Trx
  /** Where the environment's files lie. */
  files: string
  path: string
  now: Date
  onProgress?: (done: number) => void
  stopping?: AbortSignal
}

export class ArchiveStoppedError extends Error {}

const rowsPerFetch = 1000

/** Rows, notices and images: what `onProgress` counts up to. */
export async function sizeOfArchive(trx: Trx): Promise<number> {
  const counts = archiveTables.map(({ table }) => sql`(select count(*) from ${sql.table(table)})`)
  const { rows } = await sql<{ total: number }>`
    select ${sql.join(counts, sql` + `)}
      + (select count(*) + count(image_version) from "references" where deleted_at is null) as total`.execute(
    trx,
  )
  return rows[0]?.total ?? 0
}

/** Writes all that a library may take elsewhere to one zip, whose entries are alike as long as nothing changed; answers its size. */
export async function makeArchive(making: Making): Promise<number> {
  const zip = openZip(making.path)
  try {
    return await writeAll(zip, making)
  } catch (error) {
    zip.abandon()
    throw error
  }
}

async function writeAll(zip: ZipWriter, { trx, files, now, onProgress, stopping }: Making): Promise<number> {
  const parameters = await readParameters(trx)
  const library = parameters.get('work_council')
  const rows = new Map<string, number>()
  const prints: Record<string, { rows: number; sha256: string }> = {}
  let done = 0
  const advance = (by: number) => {
    if (stopping?.aborted) throw new ArchiveStoppedError()
    done += by
    onProgress?.(done)
  }
  const addTable = async (name: string, pieces: AsyncIterable<{ bytes: Uint8Array; rows: number }>) => {
    const print = createHash('sha256')
    let count = 0
    async function* counted() {
      for await (const piece of pieces) {
        print.update(piece.bytes)
        count += piece.rows
        advance(piece.rows)
        yield piece.bytes
      }
    }
    await zip.add(name, counted())
    rows.set(name, count)
    prints[name] = { rows: count, sha256: print.digest('hex') }
  }

  await addTable(noticesFile, notices(trx, library))
  for (const table of archiveTables) await addTable(table.file, tableRows(trx, table))
  for await (const { id, image_version } of images(trx)) {
    const { directory, name } = coverFile(id, image_version)
    const picture = await readThere(join(files, pathOfPicture(directory, name, coverSides.large)))
    if (picture) await zip.add(imageFile(id), once(picture), true)
    advance(1)
  }
  for (const path of await conditions(trx)) {
    const document = await readThere(join(files, path))
    if (document) await zip.add(path, once(document), true)
  }
  const made = frenchInstant(now, parameters.get('timezone'))
  await zip.add(pageFile, once(Buffer.from(readMePage({ library, made, rows }))))
  const manifest = { comptoir: archiveVersion, made_at: now.toISOString(), files: prints }
  await zip.add(manifestFile, once(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)))
  return zip.close()
}

async function* notices(trx: Trx, library: string) {
  for await (const some of writtenNotices(trx, library))
    yield { bytes: Buffer.concat(some), rows: some.length }
}

async function* tableRows(trx: Trx, { table, columns, order }: ArchiveTable) {
  const values = sql.join(columns.map(cellSql))
  const sorted = sql.join(order.map((column) => sql`t.${sql.ref(column)}`))
  const header = columns.map(({ title }) => (title.includes(';') ? `"${title}"` : title))
  yield { bytes: Buffer.from(`\ufeff${header.join(';')}\r\n`), rows: 0 }
  await sql`declare leaving no scroll cursor for
    select to_json(array[${values}])::text as row from ${sql.table(table)} t order by ${sorted}`.execute(trx)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(rowsPerFetch)} from leaving`.execute(trx)
    const lines = rows.map(({ row }) => csvLine(columns, JSON.parse(row) as (string | null)[]))
    if (lines.length > 0) yield { bytes: Buffer.from(lines.join('')), rows: lines.length }
    if (rows.length < rowsPerFetch) break
  }
  await sql`close leaving`.execute(trx)
}

async function* images(trx: Trx) {
  for (let after = 0; ;) {
    const some = await trx
      .selectFrom('references')
      .select(['id', 'image_version'])
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('image_version', 'is not', null)
      .orderBy('id')
      .limit(rowsPerFetch)
      .execute()
    for (const { id, image_version } of some) yield { id, image_version: image_version! }
    const last = some.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Those of today, and those that readers were given. */
async function conditions(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from (
      select loaning_conditions_file as path from media
      union select 'conditions/' || conditions_version || '.pdf' from loanings
    ) p where path is not null order by path collate "C"`.execute(trx)
  return rows.flatMap(({ path }) => (conditionsFile.test(path) ? [path] : []))
}

/** A file that is gone meanwhile was replaced. */
const readThere = (path: string): Promise<Buffer | null> => readFile(path).catch(unlessGone)

async function* once(bytes: Uint8Array) {
  yield await Promise.resolve(bytes)
}

const frenchInstant = (now: Date, timeZone: string) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(now)
