import {
  removeImageSources as removeImageSourcesCall,
  setImageSources as setImageSourcesCall,
} from '../../contract/image-sources.ts'
import { media, type MediumSettings } from '../../contract/media.ts'
import * as call from '../../contract/medium-changes.ts'
import type { moveReferences as moveReferencesCall } from '../../contract/medium-changes.ts'
import type { Trx } from '../db/handles.ts'
import { change, file, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { removeImageSources, setImageSources } from './image-sources.ts'
import { getConditions, getConditionsOfLoan, getConditionsSent, uploadConditions } from './loan-conditions.ts'
import { listAnalytics, mediumRows } from './medium-queries.ts'
import { addMedium, changeMedium, lockMedium, noSuchMedium, toggleMedium } from './save-medium.ts'

async function removeMedium(
  trx: Trx,
  { params: { id } }: VerbInput<typeof media.remove>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  const { ref_count: count } = before
  if (count > 0) {
    const used = count === 1 ? 'Une référence est de ce support' : `${count} références sont de ce support`
    return conflict('IN_USE', `${used}\u202f: désactivez-le, ou donnez-leur-en un autre.`, { count })
  }
  const deleted_at = exchange.now.toISOString()
  await trx.updateTable('media').set({ deleted_at }).where('id', '=', id).execute()
  await journal(trx, exchange, {
    action: 'media.remove',
    entity: 'media',
    entity_id: id,
    before,
    after: null,
  })
  return done(null)
}

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

export const mediumRoutes = [
  read(media.list, async (db, { list }) => done(await mediumRows.list(db, list))),
  change(media.add, addMedium),
  change(media.change, changeMedium),
  change(media.remove, removeMedium),
  change(media.toggle, toggleMedium),
  change(call.uploadConditions, uploadConditions),
  change(call.moveReferences, moveReferences),
  change(setImageSourcesCall, setImageSources),
  change(removeImageSourcesCall, removeImageSources),
  file(call.getConditions, getConditions),
  file(call.getConditionsOfLoan, getConditionsOfLoan),
  file(call.getConditionsSent, getConditionsSent),
  read(call.listAnalytics, async (db, { list }) => done(await listAnalytics(db, list))),
]
