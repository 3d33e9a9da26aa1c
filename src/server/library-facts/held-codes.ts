import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockEachInLibrary, lockInLibrary } from '../db/library-lock.ts'

// A scan means one thing: no copy or shelf has the code of a reader's card, and codes that differ by case only are one.

/** Nobody else gives this code to a copy, a shelf or a card until the transaction ends. */
export const holdBarCode = (trx: Trx, code: string): Promise<void> =>
  lockInLibrary(trx, 'bar code', code.toLowerCase())

/** The same for several, in one order, so that two who hold some wait for each other and not crosswise. */
export const holdBarCodes = (trx: Trx, codes: readonly string[]): Promise<void> =>
  lockEachInLibrary(
    trx,
    'bar code',
    codes.map((code) => code.toLowerCase()),
  )

/** Whether a code is one of these. The database alone writes both in small letters: with LC_CTYPE « C » it knows A to Z, and JavaScript more. */
export const isOneOfCodes = (code: RawBuilder<unknown>, codes: readonly string[]) =>
  sql<boolean>`lower(${code}) = any(array(select lower(given) from unnest(${[...codes]}::text[]) given))`

export type CodedCopy = { name: string; site: number; bar_code: string }

/** The copies that have these codes, by code, but for the copy `except`; written alike first. */
export async function copiesOfCodes(
  trx: Trx,
  codes: readonly string[],
  except: number | null = null,
): Promise<ReadonlyMap<string, CodedCopy>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<CodedCopy & { code: string }>`
    select distinct on (wanted.code) wanted.code, r.name, c.site, c.bar_code
    from unnest(${codes}::text[]) as wanted (code)
    join copies c on lower(c.bar_code) = lower(wanted.code) and c.deleted_at is null and c.id is distinct from ${except}::int
    join "references" r on r.id = c.reference
    order by wanted.code, c.bar_code = wanted.code desc, c.id`.execute(trx)
  return new Map(rows.map(({ code, ...copy }) => [code, copy]))
}

export const copyOfCode = async (
  trx: Trx,
  code: string,
  except: number | null = null,
): Promise<CodedCopy | undefined> => (await copiesOfCodes(trx, [code], except)).get(code)

/** Which of these codes are on cards of readers or relatives, in small letters. */
export async function codesOfCards(trx: Trx, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set()
  const isAsked = isOneOfCodes(sql`reader_id`, codes)
  const { rows } = await sql<{ code: string }>`
    select reader_id as code from beneficiaries where ${isAsked} and deleted_at is null
    union all
    select reader_id from relatives where ${isAsked} and deleted_at is null`.execute(trx)
  return new Set(rows.map(({ code }) => code.toLowerCase()))
}

export type CodedShelf = { label: string; bar_code: string }

/** The shelves that have these codes, by code in small letters, but for the shelf `except`. */
export async function shelvesOfCodes(
  trx: Trx,
  codes: readonly string[],
  except: number | null = null,
): Promise<ReadonlyMap<string, CodedShelf>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<CodedShelf>`
    select bar_code, label from locations
    where ${isOneOfCodes(sql`bar_code`, codes)}
      and deleted_at is null and id is distinct from ${except}::int
    order by id`.execute(trx)
  return new Map(rows.map((shelf) => [shelf.bar_code.toLowerCase(), shelf]))
}

export const shelfOfCode = async (
  trx: Trx,
  code: string,
  except: number | null = null,
): Promise<CodedShelf | undefined> => (await shelvesOfCodes(trx, [code], except)).get(code.toLowerCase())

export const ofCard = (bar_code: string): string =>
  `Le code-barres ${bar_code} est celui d’une carte de lecteur.`

export const whoseShelf = ({ label }: CodedShelf): string => `de l’emplacement «\u00a0${label}\u00a0»`
