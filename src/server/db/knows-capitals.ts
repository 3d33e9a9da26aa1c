import { sql } from 'kysely'

import type { Db } from './handles.ts'

/** By its LC_CTYPE: codes, cards and words are compared in small letters, and « C » has none but a to z. */
export const knowingCapitals = sql<boolean>`lower('ÉŒ') = 'éœ'`

export async function knowsCapitals(db: Db): Promise<boolean> {
  const { rows } = await sql<{ knows: boolean }>`select ${knowingCapitals} as knows`.execute(db)
  return rows[0]?.knows ?? false
}
