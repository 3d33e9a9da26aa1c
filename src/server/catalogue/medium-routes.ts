import {
  removeImageSources as removeImageSourcesCall,
  setImageSources as setImageSourcesCall,
} from '../../contract/image-sources.ts'
import type { MediumSettings } from '../../contract/media.ts'
import * as call from '../../contract/medium-changes.ts'
import type { moveReferences as moveReferencesCall } from '../../contract/medium-changes.ts'
import type { Trx } from '../db/handles.ts'
import { change, file, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { getConditions, getConditionsOfLoan, getConditionsSent, uploadConditions } from './loan-conditions.ts'
import { listAnalytics, mediumRows } from './medium-queries.ts'
import { lockMedium, mediumBindings, noSuchMedium, settle } from './save-medium.ts'

/** Gives every reference of a medium another one; answers the medium that has none left. */
async function moveReferences(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof moveReferencesCall>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  // In the order of their ids, so that two moves at once never wait for each other.
  const locked = new Map<number, MediumSettings | null>()
  for (const one of [id, body.medium].sort((a, b) => a - b)) locked.set(one, await lockMedium(trx, one))
  const before = locked.get(id)
  if (!before) return notFound(noSuchMedium)
  if (!locked.get(body.medium)) return violation('medium', noSuchMedium)
  if (body.medium === id) return violation('medium', 'Choisissez un autre support.')
  const moved = await trx
    .updateTable('references')
    .set({ medium: body.medium })
    .where('medium', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const count = Number(moved.numUpdatedRows)
  if (count > 0) {
    await journal(trx, exchange, {
      action: 'media.move',
      entity: 'media',
      entity_id: id,
      before: { medium: id, ref_count: count },
      after: { medium: body.medium, ref_count: count },
    })
  }
  const after = await mediumRows.find(trx, id)
  return after ? done(after) : notFound(noSuchMedium)
}

async function setImageSources(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof setImageSourcesCall>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  const rule = body.images_sources.join(',')
  await trx
    .insertInto('media_images_sources')
    .values({ medium: id, rule })
    .onConflict((conflict) => conflict.column('medium').doUpdateSet({ rule }))
    .execute()
  return settle(trx, exchange, { id, before, action: setImageSourcesCall.name })
}

/** Images that were found are no longer shown, but kept for the day when the rule returns. */
async function removeImageSources(
  trx: Trx,
  { params: { id } }: VerbInput<typeof removeImageSourcesCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  await trx.deleteFrom('media_images_sources').where('medium', '=', id).execute()
  await settle(trx, exchange, { id, before, action: removeImageSourcesCall.name })
  return done(null)
}

export const mediumRoutes = [
  ...mediumBindings,
  change(call.uploadConditions, uploadConditions),
  change(call.moveReferences, moveReferences),
  change(setImageSourcesCall, setImageSources),
  change(removeImageSourcesCall, removeImageSources),
  file(call.getConditions, getConditions),
  file(call.getConditionsOfLoan, getConditionsOfLoan),
  file(call.getConditionsSent, getConditionsSent),
  read(call.listAnalytics, async (db, { list }) => done(await listAnalytics(db, list))),
]
