import { sql } from 'kysely'

import { ofName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import { copyOfCode, holdBarCode, shelfOfCode } from '../db/held-codes.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import { readerName, relativeName } from '../db/person-names.ts'
import { isReaderOpen, type Sight } from '../sight/sight.ts'
import { whoseCopy } from '../sight/whose-copy.ts'

type Holder = { beneficiary: number } | { relative: number } | null

/** Why nobody but its holder may have a number on a card, or null; locks it, because no index spans readers, relatives and copies. */
export async function whyNumberTaken(
  trx: Trx,
  number: string,
  holder: Holder,
  sight: Sight,
): Promise<string | null> {
  const alike = number.toLowerCase()
  await lockInLibrary(trx, 'reader number', alike)
  await holdBarCode(trx, number)
  const { rows } = await sql<{ name: string; of: string | null; agency_id: number | null }>`
    select ${readerName} as name, null as of, b.agency_id
    from beneficiaries b
    where lower(b.reader_id) = ${alike} and b.deleted_at is null
      and b.id <> ${holder && 'beneficiary' in holder ? holder.beneficiary : 0}
    union all
    select ${relativeName}, ${readerName}, b.agency_id
    from relatives rel join beneficiaries b on b.id = rel.beneficiary
    where lower(rel.reader_id) = ${alike} and rel.deleted_at is null
      and rel.id <> ${holder && 'relative' in holder ? holder.relative : 0}`.execute(trx)
  const [taken] = rows
  if (taken) {
    const { name, of, agency_id } = taken
    const who = of === null ? name : `${name}, proche ${ofName(of)}`
    return `Le numéro de lecteur ${number} est déjà celui ${isReaderOpen(sight, agency_id) ? ofName(who) : 'd’un lecteur d’un autre site'}.`
  }
  const copy = await copyOfCode(trx, number)
  if (copy) return `Le numéro de lecteur ${number} est le code-barres ${whoseCopy(sight, copy)}.`
  const shelf = await shelfOfCode(trx, number)
  return shelf
    ? `Le numéro de lecteur ${number} est le code-barres de l’emplacement «\u00a0${shelf.label}\u00a0».`
    : null
}
