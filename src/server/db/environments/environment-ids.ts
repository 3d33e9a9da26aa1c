import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../handles.ts'
import { openMachines } from '../connections/machines.ts'
import { openPool } from '../connections/pool.ts'

type DataPlace = { dataDir: string; databaseUrl: string | null }

export const environmentIds = ({ databaseUrl, dataDir }: DataPlace): Promise<number[]> =>
  databaseUrl ? idsAt(databaseUrl) : embeddedEnvironmentIds(dataDir)

export async function embeddedEnvironmentIds(dataDir: string): Promise<number[]> {
  const names = await readdir(join(dataDir, 'environments')).catch(() => [])
  return names
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
    .sort((a, b) => a - b)
}

export async function idsAt(address: string): Promise<number[]> {
  const { pool, db } = openPool({ connectionString: await openMachines(address).writable(), max: 1 })
  return postgresEnvironmentIds(db).finally(() => pool.end())
}

export async function postgresEnvironmentIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname ~ '^env_[1-9][0-9]{0,8}$'`.execute(db)
  return rows.map(({ name }) => Number(name.slice(4))).sort((a, b) => a - b)
}
