import { sql } from 'kysely'

import type { changeCopy } from '../../contract/copies.ts'
import { cleanScan } from '../../domain/bar-code.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import { type Refused, violation } from '../http/outcome.ts'
import {
  type CodedShelf,
  codesOfCards,
  copyOfCode,
  holdBarCode,
  ofCard,
  shelfOfCode,
  whoseShelf,
} from '../library-facts/held-codes.ts'
import { type Visibility, whoseCopy } from '../visibility/visibility.ts'
import { isLocation } from './write-reference.ts'

/** New copies await their labels, but for those whose label was printed before them. */
export async function wantLabelsOf(trx: Trx, copies: readonly number[], now: Date): Promise<void> {
  if (copies.length === 0) return
  await sql`
    insert into label_basket (copy, wanted_at)
    select c.id, ${now.toISOString()} from copies c
    where c.id = any(${[...copies]}::int[]) and c.deleted_at is null
      and not exists (select from code_ranges k where k.bar_codes @> array[c.bar_code])
    on conflict do nothing`.execute(trx)
}

type Written = Omit<VerbInput<typeof changeCopy>['body'], 'status' | 'site'>
type Cycle = { cycle_type: string | null; cycle_value: number | null }

/** Why a copy may not be so, or null; `before` is null for a new one. */
export async function copyRefusal(
  trx: Trx,
  sent: Written,
  before: (Cycle & { id: number; bar_code: string }) | null,
  { reference, visibility }: { reference: number; visibility: Visibility },
): Promise<Refused | null> {
  const taken =
    sent.bar_code === undefined || sent.bar_code === before?.bar_code
      ? null
      : await whyTaken(trx, sent.bar_code, visibility, before?.id)
  if (taken !== null) return violation('bar_code', taken)
  if (sent.location && !(await isLocation(trx, sent.location)))
    return violation('location', 'Cet emplacement n’existe pas.')
  return whyWithoutCycle(trx, reference, {
    cycle_type: sent.cycle_type === undefined ? (before?.cycle_type ?? null) : sent.cycle_type,
    cycle_value: sent.cycle_value === undefined ? (before?.cycle_value ?? null) : sent.cycle_value,
  })
}

/** Why a copy (`of`, unless it is new) may not have this code, which is held for it until the transaction ends; or null. */
export async function whyTaken(
  trx: Trx,
  bar_code: string,
  visibility: Visibility,
  of: number | null = null,
): Promise<string | null> {
  if (cleanScan(bar_code) !== bar_code) {
    return `Ce code se lirait «\u00a0${cleanScan(bar_code)}\u00a0»\u202f: écrivez-le ainsi.`
  }
  // The unique index refuses the same code too, but without saying whose it is.
  await holdBarCode(trx, bar_code)
  const holder = await copyOfCode(trx, bar_code, of)
  if (holder) return heldBy(bar_code, holder.bar_code, whoseCopy(visibility, holder))
  if ((await codesOfCards(trx, [bar_code])).size > 0) return ofCard(bar_code)
  return whyShelf(trx, bar_code)
}

/** Codes that differ by case only are one: readers of labels print and read some in capitals alone. */
export const heldBy = (bar_code: string, held: string, whose: string): string =>
  held === bar_code
    ? `Le code-barres ${bar_code} est déjà celui ${whose}.`
    : `Le code-barres ${bar_code} ne diffère que par la casse de ${held}, qui est déjà celui ${whose}.`

/** A shelf's code says where what follows stands, and so is no copy's. */
async function whyShelf(trx: Trx, bar_code: string): Promise<string | null> {
  const shelf = await shelfOfCode(trx, bar_code)
  return shelf ? ofShelf(bar_code, shelf) : null
}

export const ofShelf = (bar_code: string, shelf: CodedShelf): string =>
  `Le code-barres ${bar_code} est celui ${whoseShelf(shelf)}.`

/** Both or neither, and both where its medium is lent by cycles. */
async function whyWithoutCycle(
  trx: Trx,
  reference: number,
  { cycle_type, cycle_value }: Cycle,
): Promise<Refused | null> {
  if (cycle_type !== null && cycle_value !== null) return null
  const missing = cycle_value === null ? 'cycle_value' : 'cycle_type'
  if (cycle_type !== null || cycle_value !== null) {
    return violation(missing, 'Un cycle est un nombre et une unité\u202f: il manque l’un des deux.')
  }
  const { rows } = await sql<{ name: string }>`
    select m.name from "references" r join media m on m.id = r.medium
    where r.id = ${reference} and m.duration_type = 'CYCLE'`.execute(trx)
  if (!rows[0]) return null
  return violation(
    missing,
    `Le support «\u00a0${rows[0].name}\u00a0» se prête par cycles\u202f: dites la longueur d’un cycle.`,
  )
}
