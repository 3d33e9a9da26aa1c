import { sql } from 'kysely'

import { ofName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import { readerName, relativeName } from '../db/person-names.ts'
import { isReaderOpen, type Sight } from '../sight/sight.ts'

type Holder = { beneficiary: number } | { relative: number } | null

type Found = { name: string; of: string | null; agency_id: number | null }

/** Who has a number, or null; locks it, because no index spans beneficiaries and relatives. */
export async function whoHasReaderNumber(trx: Trx, number: string, holder: Holder): Promise<Found | null> {
  await lockInLibrary(trx, 'reader number', number)
  const { rows } = await sql<Found>`
    select ${readerName} as name, null as of, b.agency_id
    from beneficiaries b
    where b.reader_id = ${number} and b.deleted_at is null
      and b.id <> ${holder && 'beneficiary' in holder ? holder.beneficiary : 0}
    union all
    select ${relativeName}, ${readerName}, b.agency_id
    from relatives rel join beneficiaries b on b.id = rel.beneficiary
    where rel.reader_id = ${number} and rel.deleted_at is null
      and rel.id <> ${holder && 'relative' in holder ? holder.relative : 0}`.execute(trx)
  return rows[0] ?? null
}

/** Says who has a number, without naming a reader out of sight. */
export function numberTaken(sight: Sight, number: string, { name, of, agency_id }: Found): string {
  const who = of === null ? name : `${name}, proche ${ofName(of)}`
  return `Le numéro de lecteur ${number} est déjà celui ${isReaderOpen(sight, agency_id) ? ofName(who) : 'd’un lecteur d’un autre site'}.`
}
