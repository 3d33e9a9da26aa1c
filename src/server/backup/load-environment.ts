import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'
import * as v from 'valibot'

import { migrate } from '../db/environments/migrate.ts'
import type { Db } from '../db/handles.ts'
import { migrations as ours, namesOfToday } from '../db/migrations/migrations.ts'
import { noPast, pastOfToday } from '../db/past.ts'
import { type BackupLine, row } from './backup-format.ts'
import { sequencesOf, type StoredTable, storedTables, transactionColumns } from './schema-reading.ts'

export type FreshEnvironment = { db: Db; schema: string; files: string; close(): Promise<void> }

export type EnvironmentLoader = {
  /** Opens a table or file for the rows that follow, or sets a sequence. */
  open(line: BackupLine): Promise<void>
  rows(rows: readonly string[]): Promise<void>
  finish(): Promise<void>
  /** Call it whatever happened. */
  close(): Promise<void>
}

/** Makes the schema of the backup's day and loads its rows, with constraints but without triggers; `isWhole` as in `storedTables`. */
export async function loadEnvironment(
  { db, schema, files }: FreshEnvironment,
  migrations: readonly string[],
  isWhole = false,
): Promise<EnvironmentLoader> {
  const applied = namesOfToday(migrations)
  await migrate(
    db,
    schema,
    Object.fromEntries(Object.entries(ours).filter(([name]) => applied.includes(name))),
  )
  const tables = new Map((await storedTables(db, schema, isWhole)).map((table) => [table.name, table]))
  const sequences = await sequencesOf(db, schema)
  // The backup also holds what the migrations themselves wrote.
  for (const name of [...tables.keys()].reverse()) await sql`delete from ${sql.id(schema, name)}`.execute(db)
  for (const name of tables.keys())
    await sql`alter table ${sql.id(schema, name)} disable trigger user`.execute(db)

  let table: LoadedTable | null = null
  let file: FileHandle | null = null
  const closeFile = async () => {
    const opened = file
    file = null
    await opened?.close()
  }
  return {
    async open(line) {
      await closeFile()
      table = null
      if ('table' in line) table = tableOf(tables, line)
      else if ('file' in line) {
        await mkdir(dirname(join(files, line.file)), { recursive: true })
        file = await open(join(files, line.file), 'wx')
      } else if ('sequence' in line && sequences.includes(line.sequence)) {
        const { sequence, last, called } = line
        await sql`select setval(${`"${schema}"."${sequence}"`}::regclass, ${last}::bigint, ${called})`.execute(
          db,
        )
      }
    },
    async rows(lines) {
      const parsed = lines.map((text) => v.parse(row, JSON.parse(text)))
      if (table) await insert(db, schema, table, parsed)
      else if (file) for (const [piece] of parsed) await file.write(Buffer.from(piece ?? '', 'base64'))
      else throw new Error('rows of nothing')
    },
    async finish() {
      await closeFile()
      for (const name of tables.keys())
        await sql`alter table ${sql.id(schema, name)} enable trigger user`.execute(db)
      await migrate(db, schema)
      // Nothing told of these rows: a device whose cursor is from before begins anew.
      const told = sql.id(schema, 'row_changes')
      await sql`delete from ${told}`.execute(db)
      await sql`insert into ${told} (changed_xid, row_id, subject) values (pg_current_xact_id()::text::bigint, 0, '')`.execute(
        db,
      )
      const past = isWhole ? await pastOfToday(db) : noPast
      await sql`update ${sql.id(schema, 'environment')} set past = ${past}`.execute(db)
      // A library that moves goes on where it was.
      if (!isWhole) await holdMails(db, schema)
      await sql`analyze`.execute(db)
    },
    close: closeFile,
  }
}

type LoadedTable = { name: string; columns: { name: string; type: string; at: number }[] }

function tableOf(
  tables: ReadonlyMap<string, StoredTable>,
  { table, columns }: { table: string; columns: readonly string[] },
): LoadedTable {
  const known = tables.get(table)
  if (!known) throw new Error(`no table ${table} at these migrations`)
  return {
    name: table,
    columns: columns.flatMap((name, at) => {
      // Older backups hold some of them.
      if (transactionColumns.includes(name)) return []
      const column = known.columns.find((candidate) => candidate.name === name)
      if (!column) throw new Error(`no column ${table}.${name} at these migrations`)
      return [{ ...column, at }]
    }),
  }
}

async function insert(
  db: Db,
  schema: string,
  { name, columns }: LoadedTable,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const into = sql.join(columns.map((column) => sql.id(column.name)))
  const values = sql.join(columns.map(({ type, at }) => sql`${sql.id(`c${at}`)}::${sql.raw(type)}`))
  const given = sql.join(columns.map(({ at }) => sql`${rows.map((values) => values[at] ?? null)}::text[]`))
  const as = sql.join(columns.map(({ at }) => sql.id(`c${at}`)))
  await sql`insert into ${sql.id(schema, name)} (${into}) overriding system value
    select ${values} from unnest(${given}) as r (${as})`.execute(db)
}

/** Holds back mails that waited, because they may have left since and their links may be dead. */
async function holdMails(db: Db, schema: string): Promise<void> {
  await sql`update ${sql.id(schema, 'mail_outbox')}
    set status = 'failed', last_error = 'En attente quand la sauvegarde a été faite\u202f: non envoyé après sa restauration.',
      html = case when beneficiary is null then '' else html end
    where status = 'queued'`.execute(db)
}
