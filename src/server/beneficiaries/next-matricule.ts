import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'

/** Held until the end of the transaction by whoever gives or takes a matricule, so that none is given twice. */
export async function lockMatricules(trx: Trx): Promise<void> {
  await lockInLibrary(trx, 'matricules')
}

/** The highest whole number ever given, or lost with what a backup did not hold, and one more, as wide as the highest was written. Lock first. */
export const nextMatricule = async (trx: Trx): Promise<string> => (await nextMatricules(trx, 1))[0]!

/** As many in a row. */
export async function nextMatricules(trx: Trx, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await sql<{ highest: string | null; passed: number }>`
    select (select matricule from beneficiaries where matricule ~ '^[0-9]{1,15}$'
      order by matricule::bigint desc limit 1) as highest, passed_matricule as passed from environment`.execute(
    trx,
  )
  const { highest, passed } = rows[0] ?? { highest: null, passed: 0 }
  const first = Math.max(Number(highest ?? 0), passed) + 1
  return Array.from({ length: count }, (_, at) => String(first + at).padStart(highest?.length ?? 1, '0'))
}
