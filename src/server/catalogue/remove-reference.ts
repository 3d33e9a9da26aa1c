import { sql } from 'kysely'

import type { removeReference as removeReferenceCall } from '../../contract/references.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import type { CopyStatus } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, type Outcome } from '../http/outcome.ts'
import { cancelReservationsOf } from '../queue/change-queue.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { noSuchReference } from './change-reference.ts'
import { findReference } from './reference-queries.ts'

type Held = { id: number; site: number; status: CopyStatus }

/** Its copies leave with it, and whoever waits for it no longer does; nothing of it may be on loan or under way. */
export async function removeReference(
  trx: Trx,
  { params }: VerbInput<typeof removeReferenceCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  // No copy can be added from here on.
  await trx.selectFrom('references').select('id').where('id', '=', params.id).forUpdate().execute()
  const { rows: copies } = await sql<Held>`
    select id, site, status from copies where reference = ${params.id} and deleted_at is null
    order by id for update`.execute(trx)
  const before = await findReference(trx, params.id, exchange.visibility)
  if (!before) return noSuchReference
  if (copies.length > 0 && !exchange.caller.rights.has('COPY_DELETE')) {
    return forbidden('Vous n’avez pas le droit de supprimer les exemplaires de cette référence.')
  }
  if (copies.some(({ site }) => !isSiteOpen(exchange.visibility, site))) {
    return forbidden('Cette référence a des exemplaires dans un site qui ne vous est pas ouvert.')
  }
  const held = copies.filter(({ status }) => isOut(status))
  if (held.length > 0) {
    return conflict(
      'IN_USE',
      held.length === 1
        ? `Un exemplaire de «\u00a0${before.name}\u00a0» est ${Object.values(outWords).join(' ou ')}\u202f: elle ne peut pas être supprimée.`
        : `${held.length} exemplaires de «\u00a0${before.name}\u00a0» sont ${Object.values(outWords).join(' ou ')}\u202f: elle ne peut pas être supprimée.`,
      { count: held.length },
    )
  }
  const gone = { deleted_at: exchange.now.toISOString() }
  await trx
    .updateTable('copies')
    .set({ ...gone, withdrawn_on: exchange.today })
    .where('reference', '=', before.id)
    .where('deleted_at', 'is', null)
    .execute()
  await cancelReservationsOf(trx, before.id, exchange)
  await trx.updateTable('references').set(gone).where('id', '=', before.id).execute()
  await journal(trx, exchange, {
    action: 'references.remove',
    entity: 'references',
    entity_id: before.id,
    before,
  })
  return done(null)
}
