import type { Copy } from '../../contract/catalogue.ts'
import type { changeCopy as changeCopyCall } from '../../contract/copies.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { isSiteOpen, type Sight } from '../sight/sight.ts'
import { findCopy, getCopy } from './copy-queries.ts'
import { wantLabelsOf } from './want-labels.ts'
import { copyRefusal } from './write-copy.ts'

/** Changes only what the body names; `status` is refused while the copy is on loan or under way. */
export async function changeCopy(
  trx: Trx,
  { params, body }: VerbInput<typeof changeCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const { sight } = exchange
  const before = await lockCopyInSight(trx, params.id, sight)
  if (!before) return noSuchCopy
  const refusal = await copyRefusal(trx, body, before, { reference: before.reference, sight })
  if (refusal) return refusal
  if (body.status && isOut(before.status_name)) {
    return conflict(
      'COPY_UNAVAILABLE',
      `«\u00a0${before.name}\u00a0» est ${outWords[before.status_name]}\u202f: sa disponibilité ne se change pas.`,
    )
  }
  if (Object.keys(body).length === 0) return done(before)
  await trx.updateTable('copies').set(body).where('id', '=', before.id).execute()
  const after = await getCopy(trx, before.id, sight)
  if (after.bar_code !== before.bar_code) await wantLabelsOf(trx, [before.id], exchange.now)
  await journal(trx, exchange, {
    action: 'copies.change',
    entity: 'copies',
    entity_id: before.id,
    before,
    after,
  })
  return done(after)
}

export const noSuchCopy = notFound('Cet exemplaire n’existe pas.')

/** A copy that is not withdrawn, of a site open to the caller, locked until the transaction ends. */
export async function lockCopyInSight(trx: Trx, id: number, sight: Sight): Promise<Copy | null> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('copies').select('id').where('id', '=', id).forUpdate().execute()
  const copy = await findCopy(trx, id, sight)
  return copy && isSiteOpen(sight, copy.site) ? copy : null
}
