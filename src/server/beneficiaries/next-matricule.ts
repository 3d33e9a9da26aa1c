import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'

/** Held until the end of the transaction by whoever gives or takes a matricule, so that none is given twice. */
export async function lockMatricules(trx: Trx): Promise<void> {
  await lockInLibrary(trx, 'matricules')
}

/** The highest whole number ever given and one more, as wide as that one was written. Lock first. */
export async function nextMatricule(trx: Trx): Promise<string> {
  const { rows } = await sql<{ matricule: string }>`
    select matricule from beneficiaries where matricule ~ '^[0-9]{1,15}$'
    order by matricule::bigint desc limit 1`.execute(trx)
  const highest = rows[0]?.matricule ?? '0'
  return String(Number(highest) + 1).padStart(highest.length, '0')
}
