import { sql } from 'kysely'

import { ofName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import { lockEachInLibrary, lockInLibrary } from '../db/library-lock.ts'
import { copiesOfCodes, holdBarCodes, shelvesOfCodes, whoseShelf } from '../library-facts/held-codes.ts'
import { readerName, relativeName } from '../library-facts/person-names.ts'
import { isReaderOpen, type Visibility, whoseCopy } from '../visibility/visibility.ts'

/** Held until the end of the transaction by whoever gives or takes a matricule, so that none is given twice. */
export async function lockMatricules(trx: Trx): Promise<void> {
  await lockInLibrary(trx, 'matricules')
}

/** The highest whole number ever given, or lost with what a backup did not hold, and as many more in a row, as wide as the highest was written. Lock first. */
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

type Holder = { beneficiary: number } | { relative: number } | null

/** Who or what holds a number, and the sentence that says so. Only a reader’s own card can be freed by another line of an import. */
type Taken = { by: 'reader' | 'relative' | 'code'; message: string }

/** Why nobody but its holder may have a number on a card, which is held for them until the transaction ends; or null. */
export async function whyNumberTaken(
  trx: Trx,
  number: string,
  holder: Holder,
  visibility: Visibility,
): Promise<string | null> {
  await holdNumbers(trx, [number])
  return (await whyNumbersTaken(trx, [{ number, holder }], visibility)).get(number)?.message ?? null
}

/** Nobody else gives these numbers to a card until the transaction ends: no index spans readers, relatives and copies. */
export async function holdNumbers(trx: Trx, numbers: readonly string[]): Promise<void> {
  await lockEachInLibrary(
    trx,
    'reader number',
    numbers.map((number) => number.toLowerCase()),
  )
  await holdBarCodes(trx, numbers)
}

/** Why nobody but their holders may have these numbers on cards, by number; those that may be had are left out. */
export async function whyNumbersTaken(
  trx: Trx,
  wanted: readonly { number: string; holder: Holder }[],
  visibility: Visibility,
): Promise<ReadonlyMap<string, Taken>> {
  const numbers = wanted.map(({ number }) => number)
  if (numbers.length === 0) return new Map()
  const held = (of: 'beneficiary' | 'relative') =>
    wanted.map(({ holder }) => (holder && of in holder ? Number(Reflect.get(holder, of)) : 0))
  const { rows } = await sql<{ number: string; name: string; of: string | null; agency_id: number | null }>`
    with wanted as (
      select * from unnest(${numbers}::text[], ${held('beneficiary')}::int[], ${held('relative')}::int[])
        as wanted (number, beneficiary, relative))
    select wanted.number, ${readerName} as name, null as of, b.agency_id
    from wanted join beneficiaries b on lower(b.reader_id) = lower(wanted.number) and b.deleted_at is null and b.id <> wanted.beneficiary
    union all
    select wanted.number, ${relativeName}, ${readerName}, b.agency_id
    from wanted join relatives rel on lower(rel.reader_id) = lower(wanted.number) and rel.deleted_at is null and rel.id <> wanted.relative
      join beneficiaries b on b.id = rel.beneficiary`.execute(trx)
  const whys = new Map<string, Taken>()
  const put = (number: string, by: Taken['by'], message: string) => {
    if (!whys.has(number)) whys.set(number, { by, message })
  }
  for (const { number, name, of, agency_id } of rows) {
    const who = of === null ? name : `${name}, proche ${ofName(of)}`
    put(
      number,
      of === null ? 'reader' : 'relative',
      `Le numéro de lecteur ${number} est déjà celui ${isReaderOpen(visibility, agency_id) ? ofName(who) : 'd’un lecteur d’un autre site'}.`,
    )
  }
  const free = numbers.filter((number) => !whys.has(number))
  for (const [number, copy] of await copiesOfCodes(trx, free)) {
    put(number, 'code', `Le numéro de lecteur ${number} est le code-barres ${whoseCopy(visibility, copy)}.`)
  }
  const shelves = await shelvesOfCodes(trx, free)
  for (const number of free) {
    const shelf = shelves.get(number.toLowerCase())
    if (shelf) put(number, 'code', `Le numéro de lecteur ${number} est le code-barres ${whoseShelf(shelf)}.`)
  }
  return whys
}
