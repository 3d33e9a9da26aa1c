import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { readerOpen, type Visibility } from '../visibility/visibility.ts'
import type { How } from './outcome-of-row.ts'
import type { ValueRow } from './work-row.ts'

/** The reader whom a row is of, or null. */
export type Found = {
  id: number | null
  /** Of a row with a number: the card that its reader has until now. */
  card: string | null
  /** Several may be meant. */
  isUnsaid: boolean
  /** Of a row without a number: all who have its name, and the number of one who is somebody else. */
  named: readonly number[]
  homonym: string | null
}

const nobody: Found = { id: null, card: null, isUnsaid: false, named: [], homonym: null }

/** Of each row the reader of that number or card; else the one of that name and year of birth whose mail and town do not say otherwise. */
export async function findReaders(
  trx: Trx,
  rows: readonly ValueRow[],
  how: How,
  visibility: Visibility,
): Promise<Found[]> {
  const found = new Map<number, Found>()
  const known = (by: 'matricule' | 'reader_id' | 'name') =>
    rows.flatMap(({ values }, at) => (knownBy(values) === by ? [{ at, ...asked(values, how) }] : []))
  for (const column of ['matricule', 'reader_id'] as const) {
    const numbered = known(column).map(({ [column]: number, ...row }) => ({ ...row, number: String(number) }))
    for (const { at, id, card } of await findByNumber(trx, column, numbered))
      found.set(at, { ...nobody, id, card })
  }
  for (const [at, named] of await findByName(trx, known('name'), visibility)) found.set(at, whoOf(named))
  return rows.map((_, at) => found.get(at) ?? nobody)
}

/** Nobody else changes these readers until the transaction ends; the next statement reads them as they are then. */
export async function lockReaders(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`
    select from beneficiaries where id = any(${[...ids]}::int[]) order by id for no key update`.execute(trx)
}

type Values = ValueRow['values']

const knownBy = ({ matricule, reader_id }: Values) =>
  matricule !== undefined ? 'matricule' : reader_id !== undefined ? 'reader_id' : 'name'

const asked = (
  { matricule, reader_id, lastname, firstname, birth_year, email, commune }: Values,
  how: How,
) => ({
  matricule,
  reader_id,
  // The forms of a number of which zeros may be lost.
  forms: how.isSync ? [String(matricule ?? reader_id)] : withAnyZeros(String(matricule ?? reader_id)),
  sought: `${String(lastname ?? '')} ${String(firstname ?? '')}`.replace(/[\\%_]/g, '\\$&'),
  lastname: lastname ?? '',
  firstname: firstname ?? '',
  birth_year: birth_year ?? null,
  email: email ?? '',
  commune: commune ?? '',
})

type Asked = { at: number } & Omit<ReturnType<typeof asked>, 'matricule' | 'reader_id'>

const isNamed = sql`search_text(b.lastname) = search_text(given.lastname)
  and search_text(b.firstname) = search_text(given.firstname)`

/** Zeros before a number may be lost, but only where the name is the same. */
async function findByNumber(
  trx: Trx,
  by: 'matricule' | 'reader_id',
  given: readonly (Asked & { number: string })[],
): Promise<{ at: number; id: number; card: string | null }[]> {
  if (given.length === 0) return []
  const column = sql.ref(`b.${by}`)
  // One by one, because the planner would read all readers otherwise.
  const { rows } = await sql<{ at: number; id: number; card: string | null }>`
    select given.at, one.id, one.card
    from json_to_recordset(${JSON.stringify(given)}::json)
      as given (at int, number text, forms text[], lastname text, firstname text)
    cross join lateral (
      select b.id, b.reader_id as card from beneficiaries b
      where b.deleted_at is null and ${column} = any(given.forms) and (${column} = given.number or (${isNamed}))
      order by ${column} = given.number desc, b.id limit 1) one`.execute(trx)
  return rows
}

type Named = { at: number; id: number; matricule: string; differs: boolean; agrees: boolean }

/** By the place of the row, those who have its name. */
async function findByName(
  trx: Trx,
  given: readonly Asked[],
  visibility: Visibility,
): Promise<ReadonlyMap<number, Named[]>> {
  const named = new Map<number, Named[]>()
  if (given.length === 0) return named
  /** Whether what is known of somebody is what the row says; null where one of them says nothing. */
  const says = (column: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`nullif(search_text(${column}::text), '') = nullif(search_text(${value}), '')`
  const mail = says(sql`b.email`, sql`given.email`)
  const town = says(sql`b.commune`, sql`given.commune`)
  // The pattern finds a few by their index, of whom some have more names than these.
  const { rows } = await sql<Named>`
    select given.at, one.*
    from json_to_recordset(${JSON.stringify(given)}::json)
      as given (at int, sought text, lastname text, firstname text, birth_year int, email text, commune text)
    cross join lateral (
      select b.id, b.matricule,
        b.birth_year is distinct from given.birth_year
          or coalesce(not ${mail}, false) or coalesce(not ${town}, false) as differs,
        coalesce(${mail}, false) or coalesce(${town}, false) as agrees
      from beneficiaries b
      where b.deleted_at is null and b.search like '%' || search_text(given.sought) || '%' and ${isNamed} and ${readerOpen(visibility)}
      offset 0) one
    order by given.at, one.id`.execute(trx)
  for (const row of rows) named.set(row.at, [...(named.get(row.at) ?? []), row])
  return named
}

function whoOf(named: readonly Named[]): Found {
  const alike = named.filter(({ differs }) => !differs)
  const sure = alike.filter(({ agrees }) => agrees)
  const may = sure.length > 0 ? sure : alike
  const isUnsaid = may.length > 1
  return {
    id: isUnsaid ? null : (may[0]?.id ?? null),
    card: null,
    isUnsaid,
    named: named.map(({ id }) => id),
    homonym: named[0]?.matricule ?? null,
  }
}

/** A spreadsheet takes the zeros before a number away: « 777 » may be « 000777 ». */
export const withoutZeros = (number: unknown): string => String(number).replace(/^0+(?=\d+$)/, '')

/** As many digits as library numbers have. */
const mostDigits = 14

function withAnyZeros(number: string): string[] {
  const bare = withoutZeros(number)
  if (!/^\d+$/.test(bare)) return [number]
  const most = Math.max(0, mostDigits - bare.length)
  return [number, ...Array.from({ length: most + 1 }, (_, zeros) => '0'.repeat(zeros) + bare)]
}
