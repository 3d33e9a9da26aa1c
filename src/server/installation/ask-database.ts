import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'

/** Its version as `server_version_num`, and how far its clock is ahead of this process's, in milliseconds. */
export async function askDatabase(db: Db): Promise<{ version: number; ahead: number }> {
  const before = Date.now()
  const { rows } = await sql<{ version: number; at: number }>`
    select current_setting('server_version_num')::integer as version,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database told no version')
  return { version: row.version, ahead: row.at - (before + Date.now()) / 2 }
}
