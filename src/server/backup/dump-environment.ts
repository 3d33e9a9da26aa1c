import { codeOf } from '../db/error-code.ts'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import { readOneInstant } from '../db/one-instant.ts'
import { BackupRefusedError } from './backup-refused.ts'
import type { BackupWriter } from './backup-writer.ts'
import { appliedMigrations, sequencesOf, storedTables } from './schema-reading.ts'

const rowsPerFetch = 2000
const pieceOfFile = 192 * 1024

/** Reads one instant, where values are written as text that must not depend on the server's settings. */
export function atOneInstant<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return readOneInstant(db, async (trx) => {
    await sql`set local datestyle = 'ISO, YMD'`.execute(trx)
    await sql`set local timezone = 'UTC'`.execute(trx)
    await sql`set local intervalstyle = 'postgres'`.execute(trx)
    await sql`set local bytea_output = 'hex'`.execute(trx)
    await sql`set local extra_float_digits = 1`.execute(trx)
    return read(trx)
  })
}

type Dumped = { id: number; schema: string; isWhole?: boolean }

export async function dumpSchema(
  trx: Trx,
  { id, schema, isWhole = false }: Dumped,
  writer: BackupWriter,
): Promise<void> {
  const migrations = await appliedMigrations(trx, schema)
  if (migrations === null)
    throw new BackupRefusedError(`L’environnement ${id} n’a pas de base à sauvegarder.`)
  await writer.line({ environment: id, migrations })
  const tables = await storedTables(trx, schema, isWhole)
  let users = 0
  for (const { name, columns } of tables) {
    await writer.line({ table: name, columns: columns.map((column) => column.name) })
    const values = sql.join(columns.map((column) => sql`${sql.id(column.name)}::text`))
    await sql`declare dumped no scroll cursor for
      select to_json(array[${values}])::text as row from ${sql.id(schema, name)}`.execute(trx)
    for (;;) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(rowsPerFetch)} from dumped`.execute(trx)
      await writer.rows(rows.map(({ row }) => row))
      if (name === 'users') users += rows.length
      if (rows.length < rowsPerFetch) break
    }
    await sql`close dumped`.execute(trx)
  }
  if (users === 0) {
    throw new BackupRefusedError(
      `L’environnement ${id} n’a ${tables.length === 0 ? 'aucune table' : 'aucun utilisateur'} dans «\u202f${schema}\u202f»\u202f: ` +
        'rien n’a été sauvegardé. Vérifiez DATABASE_URL et DATA_DIR, et que Comptoir a démarré une fois sur cette base.',
    )
  }
  // Sequences ignore snapshots, so they are read last and are never behind the rows.
  for (const sequence of await sequencesOf(trx, schema)) {
    const { rows } = await sql<{ last: string; called: boolean }>`
      select last_value::text as last, is_called as called from ${sql.id(schema, sequence)}`.execute(trx)
    for (const { last, called } of rows) await writer.line({ sequence, last, called })
  }
}

/** Writes the environment's files: everything in its directory but the database and archives. */
export async function dumpFiles(directory: string, writer: BackupWriter, inside = ''): Promise<void> {
  const entries = await readdir(join(directory, inside), { withFileTypes: true }).catch(unlessGone([]))
  for (const entry of entries) {
    // An archive is made of the rows, and for a day.
    if (inside === '' && (entry.name === 'database' || entry.name === 'archives')) continue
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) await dumpFiles(directory, writer, path)
    else if (entry.isFile()) await dumpFile(join(directory, path), path, writer)
  }
}

async function dumpFile(source: string, path: string, writer: BackupWriter): Promise<void> {
  const file = await open(source).catch(unlessGone(null))
  if (file === null) return
  await writer.line({ file: path })
  const pieces = file.createReadStream({ highWaterMark: pieceOfFile }) as AsyncIterable<Buffer>
  for await (const piece of pieces) await writer.rows([JSON.stringify([piece.toString('base64')])])
}

/** A file gone meanwhile was replaced by rows newer than the backup's. */
const unlessGone =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return instead
    throw error
  }
