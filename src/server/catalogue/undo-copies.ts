import { sql } from 'kysely'

import { isOut, neverCame } from '../../domain/copies-out.ts'
import type { CopyStatus } from '../../domain/loan-rules.ts'
import { type Change, type Facts, idIn, someOf, type Undoable } from '../acts/undoable.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { putBackLate } from '../library-facts/cart-lines.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { writeCopy } from './change-copy.ts'
import { copiesByIds } from './copy-queries.ts'
import { bringBack, countLoans } from './remove-copy.ts'

const plain = ['bar_code', 'state', 'buy_date', 'cycle_type', 'cycle_value', 'type']
/** A withdrawal is none of a copy that is there, and so differs from it. */
const held = ['reference', 'site', 'status_name', 'own_price', 'withdrawn_on']

export const undoCopies: Undoable = {
  nameOf: ({ bar_code, name }) => `${String(bar_code)} · ${String(name)}`,

  lock: (trx, ids) =>
    sql`select from copies where id = any(${ids}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids, { visibility }) => {
    const { rows } = await sql<{ id: number }>`
      select id from copies where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(trx)
    const copies = await copiesByIds(
      trx,
      rows.map(({ id }) => id),
      visibility,
    )
    return new Map(
      copies
        .filter(({ site }) => isSiteOpen(visibility, site))
        .map((copy): [number, Facts] => [copy.id, copy as Facts]),
    )
  },

  own: (facts) => ({
    ...someOf(facts, [...plain, ...held]),
    ...('location' in facts ? { location: idIn(facts['location']) } : {}),
  }),

  takeAway: async (trx, ids, { now, today }) => {
    const { rows } = await sql<{ id: number; lent: boolean; reserved: boolean }>`
      select c.id, exists (select from loanings l where l.copy = c.id and l.deleted_at is null) as lent,
        exists (select from reservations v where v.copy_id = c.id and v.deleted_at is null) as reserved
      from copies c where c.id = any(${ids}::int[])`.execute(trx)
    const used = rows.filter(({ lent, reserved }) => lent || reserved)
    const kept = new Map(
      used.map(({ id, lent }) => [id, lent ? 'Il a été prêté depuis.' : 'Il est réservé.']),
    )
    await sql`
      update copies set deleted_at = ${now.toISOString()}, withdrawn_on = ${today}, withdrawal_reason = ${neverCame}
      where id = any(${ids}::int[]) and id <> all(${[...kept.keys()]}::int[])`.execute(trx)
    return kept
  },

  giveBack: async (trx, { id, before, now }, exchange) => {
    if ('withdrawn_on' in before) return withdrawAgain(trx, { id, before, now }, exchange)
    const status = before['status_name'] as CopyStatus | undefined
    const body = {
      ...someOf(before, plain),
      ...('location' in before ? { location: idIn(before['location']) } : {}),
      ...('own_price' in before ? { price: before['own_price'] } : {}),
      ...(status && status !== now['status_name'] && !isOut(status) ? { status } : {}),
    } as Parameters<typeof writeCopy>[2]
    const outcome = await writeCopy(trx, id, body, exchange)
    return outcome.ok ? null : outcome.refusal.message
  },

  bringBack: async (trx, { id, before }, exchange) => {
    const gone = before as { bar_code: string; reference: number; site: number }
    const why = await bringBack(trx, id, gone, exchange.visibility)
    if (why === null) await putBackLate(trx, id, exchange)
    return why
  },
}

/** A copy that had left the stock and was brought back, unless somebody has got hold of it. */
async function withdrawAgain(
  trx: Trx,
  { id, before, now }: Change,
  exchange: Exchange,
): Promise<string | null> {
  if ((await countLoans(trx, id)) !== before['loans']) return 'Il a été prêté depuis.'
  const { rows } = await sql`
    select from reservations where copy_id = ${id} and deleted_at is null limit 1`.execute(trx)
  if (rows.length > 0) return 'Il est réservé.'
  const { deleted_at, withdrawn_on, withdrawal_reason } = before
  await sql`
    update copies set deleted_at = ${deleted_at}::timestamptz, withdrawn_on = ${withdrawn_on}::date,
      withdrawal_reason = ${withdrawal_reason}::text where id = ${id}`.execute(trx)
  await journal(trx, exchange, {
    action: 'copies.remove',
    entity: 'copies',
    entity_id: id,
    before: now,
    after: { withdrawal_reason },
  })
  return null
}
