import { sql } from 'kysely'

import type { StorageSettings } from '../db/environment.ts'
import { openPool } from '../db/pool.ts'

/** Asks both, because one database has several addresses, and its lock would be waited for twice. */
export async function isSamePlace(one: StorageSettings, other: StorageSettings): Promise<boolean> {
  if (one.databaseUrl === null || other.databaseUrl === null)
    return one.databaseUrl === other.databaseUrl && one.dataDir === other.dataDir
  return (await nameOf(one.databaseUrl)) === (await nameOf(other.databaseUrl))
}

async function nameOf(connectionString: string): Promise<string | undefined> {
  const { pool, db } = openPool({ connectionString, max: 1 })
  const { rows } = await sql<{ name: string }>`
    select system_identifier || '/' || d.oid as name from pg_control_system(), pg_database d
    where d.datname = current_database()`
    .execute(db)
    .finally(() => pool.end())
  return rows[0]?.name
}
