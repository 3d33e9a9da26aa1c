import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { expect } from 'vitest'

import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'

export type WholeBase = {
  rows: Record<string, string[]>
  /** The last number of each, which a restore goes on from further on. */
  sequences: Record<string, number>
  files: Record<string, string>
}

const leftOut = [
  'sessions',
  'password_links',
  'login_failures',
  'user_factors',
  'user_recovery_codes',
  'row_changes',
]

/** Every row as text, each sequence and every file, without what a backup leaves out. */
export async function wholeBase({ db, engine, id, files }: Environment): Promise<WholeBase> {
  const schema = engine ? 'public' : `env_${id}`
  const tables = await sql<{ name: string; columns: string[] }>`
    select table_name::text as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = ${schema} and table_type = 'BASE TABLE' and table_name not like 'kysely%' and column_name not in ('changed_xid', 'written_xid', 'past', 'passed_matricule')
    group by 1`.execute(db)
  const whole: WholeBase = { rows: {}, sequences: {}, files: await filesIn(files) }
  for (const { name, columns } of tables.rows) {
    if (leftOut.includes(name)) continue
    const values = sql.join(columns.map((column) => sql.id(column)))
    const { rows } = await sql<{ row: string }>`
      select t::text as row from (select ${values} from ${sql.id(schema, name)}) t order by t::text collate "C"`.execute(
      db,
    )
    whole.rows[name] = rows.map(({ row }) => row)
  }
  const sequences = await sql<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'S' order by 1`.execute(
    db,
  )
  for (const { name } of sequences.rows) {
    const { rows } = await sql<{
      last: number
    }>`select last_value as last from ${sql.id(schema, name)}`.execute(db)
    whole.sequences[name] = rows[0]?.last ?? 0
  }
  return whole
}

async function filesIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files: Record<string, string> = {}
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1)
    if (!entry.isFile() || path.startsWith('database')) continue
    files[path] = (await readFile(join(directory, path))).toString('base64')
  }
  return files
}

/** What a restore brought back is what was saved, but that its numbers go on further on, so that those given since are given to nobody else. */
export function expectRestored(restored: WholeBase, saved: WholeBase): void {
  const { sequences, ...rest } = restored
  const { sequences: before, ...same } = saved
  expect(rest).toEqual(same)
  expect(Object.keys(sequences)).toEqual(Object.keys(before))
  expect(Object.entries(before).filter(([name, last]) => sequences[name]! < last + 1_000_000)).toEqual([])
}

/** Opens what was restored, looks into it and closes it. */
export async function lookInto<T>(
  storage: StorageSettings,
  look: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await openEnvironment(storage, 1)
  try {
    return await look(environment)
  } finally {
    await environment.close()
  }
}

export async function temporaryDirectory(): Promise<{ path: string; drop(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'comptoir-backup-'))
  return { path, drop: () => rm(path, { recursive: true, force: true }) }
}
