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
import { removeImageSources, setImageSources } from './image-sources.ts'
import { getConditions, getConditionsOfLoan, getConditionsSent, uploadConditions } from './loan-conditions.ts'
import { listAnalytics, mediumRows } from './medium-queries.ts'
import { lockMedium, mediumBindings, noSuchMedium } from './save-medium.ts'

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
