import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'
import { knowingCapitals } from '../db/knows-capitals.ts'

type Asked = { version: number; knowsCapitals: boolean; ahead: number }

/** Its version as `server_version_num`, and how far its clock is ahead of this process's, in milliseconds. */
export async function askDatabase(db: Db): Promise<Asked> {
  const before = Date.now()
  const { rows } = await sql<{ version: number; knows: boolean; at: number }>`
    select current_setting('server_version_num')::integer as version, ${knowingCapitals} as knows,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database told no version')
  return { version: row.version, knowsCapitals: row.knows, ahead: row.at - (before + Date.now()) / 2 }
}
