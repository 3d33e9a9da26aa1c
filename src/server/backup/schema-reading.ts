import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'

export type StoredTable = {
  name: string
  /** Without the columns that the database computes. */
  columns: { name: string; type: string }[]
}

/** Not in a file: what was revoked since must not revive, and keys stay at home. */
const atHome = [
  'sessions',
  'session_seals',
  'password_links',
  'login_failures',
  'user_factors',
  'user_recovery_codes',
]

/** Migrations write their own tables, and changes are told by transactions of this database. */
const ofThisDatabase = ['kysely_migration', 'kysely_migration_lock', 'row_changes']

/** Left out, because a transaction's number means nothing in another database. */
export const transactionColumns: readonly string[] = ['changed_xid', 'written_xid']

/** Each table stands after those it refers to; `isWhole` for a library that moves, and takes its sessions and keys along. */
export async function storedTables(db: Db | Trx, schema: string, isWhole = false): Promise<StoredTable[]> {
  const leftOut = isWhole ? ofThisDatabase : [...ofThisDatabase, ...atHome]
  const { rows } = await sql<{ name: string; column: string; type: string }>`
    select c.relname as name, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r' and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' and a.attname <> all(${[...transactionColumns]})
    order by c.relname, a.attnum`.execute(db)
  const tables = new Map<string, StoredTable>()
  for (const { name, column, type } of rows) {
    if (leftOut.includes(name)) continue
    const table = tables.get(name) ?? { name, columns: [] }
    tables.set(name, table)
    table.columns.push({ name: column, type })
  }
  const references = await sql<{ from: string; to: string }>`
    select c.relname as from, p.relname as to
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = ${schema}::regnamespace`.execute(db)
  return referredFirst([...tables.values()], references.rows)
}

function referredFirst(
  tables: readonly StoredTable[],
  references: readonly { from: string; to: string }[],
): StoredTable[] {
  const ordered: StoredTable[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const isWaitedFor = ({ name }: StoredTable) =>
      references.some(
        ({ from, to }) => from === name && to !== name && waiting.some((table) => table.name === to),
      )
    const next = waiting.filter((table) => !isWaitedFor(table))
    if (next.length === 0)
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...next)
    waiting = waiting.filter((table) => !next.includes(table))
  }
  return ordered
}

export async function appliedMigrations(db: Db | Trx, schema: string): Promise<string[] | null> {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${`${schema}.kysely_migration`})::text as found`.execute(db)
  if (rows[0]?.found == null) return null
  const applied = await sql<{ name: string }>`
    select name from ${sql.id(schema, 'kysely_migration')} order by name`.execute(db)
  return applied.rows.map(({ name }) => name)
}

export async function sequencesOf(db: Db | Trx, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = ${schema}::regnamespace and relkind = 'S' order by relname`.execute(db)
  return rows.map(({ name }) => name)
}
