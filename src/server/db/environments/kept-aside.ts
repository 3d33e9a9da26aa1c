import { readdir } from 'node:fs/promises'

import { sql } from 'kysely'

import type { Db } from '../handles.ts'

/** Where a library is kept that was moved to another place. */
export const movedSchema = (stamp: string, id: number) => `moved_${stamp.replaceAll('-', '_')}_env_${id}`
export const movedDirectory = (stamp: string) => `environments-moved-${stamp}`

/** The hosts of libraries that were moved away, whose devices may still ask here. */
export async function hostsMovedAway(db: Db): Promise<string[] | null> {
  const { rows: schemas } = await sql<{ name: string }>`
    select nspname as name from pg_namespace
    where nspname ~ '^moved_[0-9_]+_env_[1-9][0-9]{0,8}$' and to_regclass(nspname || '.environment') is not null`.execute(
    db,
  )
  if (schemas.length === 0) return null
  const hosts: string[] = []
  for (const { name } of schemas) {
    const { rows } = await sql<{ hosts: string[] }>`select hosts from ${sql.id(name, 'environment')}`.execute(
      db,
    )
    hosts.push(...rows.flatMap((row) => row.hosts))
  }
  return hosts
}

/** Whether a library of this directory was moved away. */
export const wasMovedFrom = async (dataDir: string): Promise<boolean> =>
  (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('environments-moved-'))

/** Names what is kept aside at this moment, to the millisecond because two restores within a second keep both. */
export const asideStamp = (now: Date) => now.toISOString().slice(0, -1).replaceAll(/[T:.]/g, '-')
