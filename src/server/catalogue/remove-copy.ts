import type { removeCopy as removeCopyCall } from '../../contract/copies.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { releaseCopy } from '../queue/release-copy.ts'
import { lockCopyInSight, noSuchCopy } from './change-copy.ts'

/** Hides a copy, which keeps its history; wishes for this very copy become wishes for its title. */
export async function removeCopy(
  trx: Trx,
  { params, query }: VerbInput<typeof removeCopyCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockCopyInSight(trx, params.id, exchange.sight)
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
