import { sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import type { withdrawCart as withdrawCartCall } from '../../contract/weeding.ts'
import { stopSentence, weedingName, type WeedingReason, type WeedingStop } from '../../domain/weeding.ts'
import { findAct } from '../acts/act-queries.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { visibleCopies } from '../visibility/visibility.ts'
import { cart, isInCart } from './cart-queries.ts'
import { stop } from './weeding-facts.ts'

type Line = {
  id: number
  name: string
  site: number
  reason: WeedingReason | null
  stopped: WeedingStop | null
}

/** Takes out of the cart what can leave, which a job withdraws as one act. */
export async function withdrawCart(
  trx: Trx,
  { body: { reason, copies } }: VerbInput<typeof withdrawCartCall>,
  exchange: Exchange,
): Promise<Outcome<Act>> {
  const { visibility, caller, today } = exchange
  const chosen = copies === undefined ? sql`true` : sql`c.id = any(${copies}::int[])`
  const { rows } = await sql<Line>`
    select k.id, r.name, c.site, k.reason, ${stop} as stopped from ${cart}
    where ${isInCart} and ${visibleCopies(visibility)} and ${chosen} order by k.id for update of k`.execute(
    trx,
  )
  const ready = rows.filter(({ stopped }) => stopped === null)
  if (ready.length === 0) return nothingToDo(rows)

  const sites = new Set(ready.map(({ site }) => site))
  const [only = null] = sites.size === 1 ? sites : []
  const name = weedingName(ready.map((line) => line.reason ?? reason))
  const { act } = await openAct(
    trx,
    { ...exchange, site: only },
    { kind: 'weeding.withdraw', name, isLasting: true },
  )
  const { id } = await trx
    .insertInto('weedings')
    .values({ reason, act, user_id: caller.user_id, withdrawn_on: today, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update weeding_lines set weeding = ${id} where id = any(${ready.map((one) => one.id)}::int[])`.execute(
    trx,
  )
  const facts = { id, name }
  await journal(
    trx,
    { ...exchange, act },
    {
      action: 'weeding.withdraw',
      entity: 'weeding',
      entity_id: id,
      before: { ...facts, is_withdrawn: false },
      after: { ...facts, is_withdrawn: true },
    },
  )
  await startJob(trx, exchange, {
    kind: 'weeding.withdraw',
    input: { weeding: id, act },
    total: ready.length,
  })
  return done((await findAct(trx, act, exchange))!)
}

function nothingToDo([first]: readonly Line[]): Outcome<Act> {
  return first?.stopped
    ? conflict('IN_USE', stopSentence(first.name, first.stopped))
    : conflict('GONE', 'Le panier est vide\u202f: ce qui y était a déjà été retiré ou ôté.')
}
