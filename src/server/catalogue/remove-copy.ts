import { sql } from 'kysely'

import type { Copy } from '../../contract/catalogue.ts'
import type { removeCopy as removeCopyCall } from '../../contract/copies.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { releaseCopy } from '../queue/lock-queue.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { lockVisibleCopy, noSuchCopy } from './change-copy.ts'
import { getCopy } from './copy-queries.ts'
import { whyTaken } from './write-copy.ts'

/** Brings a withdrawn copy back into the stock, where its title is still there and its label free. */
export async function restoreCopy(trx: Trx, id: number, exchange: Exchange): Promise<Outcome<Copy>> {
  const { visibility } = exchange
  const gone = await trx
    .selectFrom('copies')
    .select(['bar_code', 'reference', 'site', 'deleted_at', 'withdrawn_on', 'withdrawal_reason'])
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!gone) return noSuchCopy
  const why = await bringBack(trx, id, gone, visibility)
  if (why !== null) return conflict('COPY_WITHDRAWN', why)
  const { deleted_at, withdrawn_on, withdrawal_reason } = gone
  const after = await getCopy(trx, id, visibility)
  await journal(trx, exchange, {
    action: 'copies.restore',
    entity: 'copies',
    entity_id: id,
    before: { deleted_at, withdrawn_on, withdrawal_reason, loans: await countLoans(trx, id) },
    after,
  })
  return done(after)
}

/** Whether anybody borrowed it since is told by how many did. */
export async function countLoans(trx: Trx, copy: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from loanings where copy = ${copy}`.execute(trx)
  return rows[0]?.count ?? 0
}

type Gone = { bar_code: string; reference: number; site: number }

/** Undoes the withdrawal without a word in the journal; or says why not. */
export async function bringBack(
  trx: Trx,
  id: number,
  { bar_code, reference, site }: Gone,
  visibility: Visibility,
): Promise<string | null> {
  if (!isSiteOpen(visibility, site)) return 'Son site ne vous est pas ouvert.'
  const { rows } = await sql`
    select from "references" where id = ${reference} and deleted_at is null for key share`.execute(trx)
  if (rows.length === 0) return 'Sa référence n’existe plus.'
  const taken = await whyTaken(trx, bar_code, visibility)
  if (taken !== null) return taken
  const { rows: sales } = await sql`select from sales where copy = ${id} and deleted_at is null`.execute(trx)
  // What was sold had left the stock before.
  const stillSold = sales.length > 0 ? {} : { withdrawn_on: null, withdrawal_reason: null }
  await trx
    .updateTable('copies')
    .set({ deleted_at: null, ...stillSold })
    .where('id', '=', id)
    .execute()
  return null
}

/** Hides a copy, which keeps its history; wishes for this very copy become wishes for its title. */
export async function removeCopy(
  trx: Trx,
  { params, query }: VerbInput<typeof removeCopyCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockVisibleCopy(trx, params.id, exchange.visibility)
  if (!before) return noSuchCopy
  if (isOut(before.status_name)) {
    return conflict(
      'IN_USE',
      `«\u00a0${before.name}\u00a0» est ${outWords[before.status_name]}\u202f: il ne peut pas être supprimé.`,
    )
  }
  const withdrawn = {
    deleted_at: exchange.now.toISOString(),
    // What was sold left the stock that day, and for that.
    ...(before.sold_on === null
      ? { withdrawn_on: exchange.today, withdrawal_reason: query.reason || null }
      : {}),
  }
  await trx.updateTable('copies').set(withdrawn).where('id', '=', before.id).execute()
  await releaseCopy(trx, before)
  await journal(trx, exchange, {
    action: 'copies.remove',
    entity: 'copies',
    entity_id: before.id,
    before,
    after: { withdrawal_reason: withdrawn.withdrawal_reason ?? null },
  })
  return done(null)
}
