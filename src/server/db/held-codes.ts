import { sql } from 'kysely'

import type { Trx } from './handles.ts'
import { lockInLibrary } from './library-lock.ts'

// A scan means one thing: no copy or shelf has the code of a reader's card, and codes that differ by case only are one.

/** Nobody else gives this code to a copy, a shelf or a card until the transaction ends. */
export const holdBarCode = (trx: Trx, code: string): Promise<void> =>
  lockInLibrary(trx, 'bar code', code.toLowerCase())

export type CodedCopy = { name: string; site: number; bar_code: string }

/** The copy that has a code, but for the copy `except`; written alike first. */
export const copyOfCode = (
  trx: Trx,
  code: string,
  except: number | null = null,
): Promise<CodedCopy | undefined> =>
  trx
    .selectFrom('copies')
    .innerJoin('references', 'references.id', 'copies.reference')
    .select(['references.name', 'copies.site', 'copies.bar_code'])
    .where(sql<boolean>`lower(copies.bar_code) = ${code.toLowerCase()}`)
    .where('copies.deleted_at', 'is', null)
    .where(sql<boolean>`copies.id is distinct from ${except}::int`)
    .orderBy(sql`copies.bar_code = ${code} desc, copies.id`)
    .executeTakeFirst()

/** Which of these codes are on cards of readers or relatives, in small letters. */
export async function codesOfCards(trx: Trx, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set()
  const alike = codes.map((code) => code.toLowerCase())
  const { rows } = await sql<{ code: string }>`
    select lower(reader_id) as code from beneficiaries
    where lower(reader_id) = any(${alike}::text[]) and deleted_at is null
    union
    select lower(reader_id) from relatives
    where lower(reader_id) = any(${alike}::text[]) and deleted_at is null`.execute(trx)
  return new Set(rows.map(({ code }) => code))
}

/** The shelf that has a code. */
export const shelfOfCode = (trx: Trx, code: string): Promise<{ label: string } | undefined> =>
  trx
    .selectFrom('locations')
    .select('label')
    .where(sql<boolean>`lower(bar_code) = ${code.toLowerCase()}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const ofCard = (bar_code: string): string =>
  `Le code-barres ${bar_code} est celui d’une carte de lecteur.`
