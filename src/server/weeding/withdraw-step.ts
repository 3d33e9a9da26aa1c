import { sql } from 'kysely'
import * as v from 'valibot'

import { type WeedingReason, weedingReasons, type WeedingStop } from '../../domain/weeding.ts'
import { removeCopy } from '../catalogue/remove-copy.ts'
import { breaksConstraint } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import { endAct } from '../http/act.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { type AfterFailure, type Step } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { hideEmpty, isThere, putBack } from '../library-facts/cart-lines.ts'
import { isInStock, stop } from './weeding-facts.ts'

const asked = v.object({ weeding: v.number(), act: v.number() })

type Line = {
  id: number
  copy: number
  reason: WeedingReason
  is_in_stock: boolean
  stopped: WeedingStop | null
}

/** Withdraws some of what was chosen; what was lent, sent, sold or reserved since goes back into the cart. */
export const withdrawStep: Step = async (trx, { input, cursor }, { exchange }) => {
  const { weeding, act } = v.parse(asked, input)
  if (!exchange.caller.rights.has('COPY_DELETE')) {
    return { problem: 'Votre compte n’a plus le droit de retirer des exemplaires.' }
  }
  const most = rowsAStep(exchange)
  const part = sql`select k.id, k.copy from weeding_lines k
    where k.weeding = ${weeding} and k.id > ${cursor} order by k.id limit ${most}`
  // The next statement reads, because this one does not see what it waited for.
  await sql`select from copies where id in (select copy from (${part}) part) order by id for update`.execute(
    trx,
  )
  const { rows } = await sql<Line>`
    select part.id, part.copy, coalesce(k.reason, w.reason) as reason, ${isInStock} as is_in_stock, ${stop} as stopped
    from (${part}) part join weeding_lines k on k.id = part.id join weedings w on w.id = k.weeding
    join copies c on c.id = part.copy order by part.id`.execute(trx)
  const left: number[] = []
  for (const { id, copy, reason, is_in_stock, stopped } of rows) {
    if (!is_in_stock || stopped !== null || !(await withdraw(trx, { copy, reason }, { ...exchange, act })))
      left.push(id)
  }
  await putBack(trx, sql`k.id = any(${left}::int[])`)
  const isLast = rows.length < most
  if (isLast) {
    await endAct(trx, act, exchange)
    await hideEmpty(trx, weeding, exchange.now)
  }
  return { cursor: rows.at(-1)?.id ?? cursor, did: rows.length, isLast }
}

/** What is refused, or breaks on what somebody else did, leaves nothing. */
async function withdraw(
  trx: Trx,
  { copy, reason }: Pick<Line, 'copy' | 'reason'>,
  exchange: Exchange,
): Promise<boolean> {
  const input = { params: { id: copy }, query: { reason: weedingReasons[reason] }, body: undefined }
  try {
    return (
      await asPart(
        trx,
        () => removeCopy(trx, input, exchange),
        ({ ok }) => ok,
      )
    ).ok
  } catch (error) {
    if (!breaksConstraint(error)) throw error
    return false
  }
}

/** What was withdrawn stays an act that can be undone; what was not is in the cart again. */
export const keepInCart: AfterFailure = async (trx, { input, user_id }, now) => {
  const { weeding, act } = v.parse(asked, input)
  await putBack(trx, sql`k.weeding = ${weeding} and ${isThere}`)
  await hideEmpty(trx, weeding, now)
  await trx.updateTable('acts').set({ ended_at: now.toISOString() }).where('id', '=', act).execute()
  await journal(
    trx,
    { now, key: null, caller: { user_id } },
    { action: 'weeding.put', entity: 'weeding', entity_id: null, before: null, after: null },
  )
  return 'Ce qui n’a pas été retiré est de nouveau dans le panier.'
}
