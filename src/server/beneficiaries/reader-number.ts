import { sql } from 'kysely'

import type { Trx } from '../db/environment.ts'

type Holder = { beneficiary: number } | { relative: number } | null

/**
 * Who already carries a reader number, as a sentence, or null when it is free for `holder`. The number stays locked until the
 * transaction ends: it is unique over beneficiaries and relatives together, which no index of one table can hold.
 */
export async function whoHasReaderNumber(trx: Trx, number: string, holder: Holder): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(7302116, hashtext(${number}))`.execute(trx)
  const { rows } = await sql<{ name: string; of: string | null }>`
    select b.matricule || ' - ' || trim(b.lastname || ' ' || b.firstname) as name, null as of
    from beneficiaries b
    where b.reader_id = ${number} and b.deleted_at is null
      and b.id <> ${holder && 'beneficiary' in holder ? holder.beneficiary : 0}
    union all
    select trim(rel.lastname || ' ' || rel.firstname), b.matricule || ' - ' || trim(b.lastname || ' ' || b.firstname)
    from relatives rel join beneficiaries b on b.id = rel.beneficiary
    where rel.reader_id = ${number} and rel.deleted_at is null
      and rel.id <> ${holder && 'relative' in holder ? holder.relative : 0}`.execute(trx)
  const [found] = rows
  if (!found) return null
  const who = found.of === null ? found.name : `${found.name}, proche de ${found.of}`
  return `Le numéro de lecteur ${number} est déjà celui de ${who}.`
}
