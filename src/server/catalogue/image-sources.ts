import * as call from '../../contract/image-sources.ts'
import type { MediumSettings } from '../../contract/media.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { lockMedium, noSuchMedium, settle } from './save-medium.ts'

export async function setImageSources(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof call.setImageSources>,
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
  return settle(trx, exchange, { id, before, action: call.setImageSources.name })
}

/** Images that were found are no longer shown, but kept for the day when the rule returns. */
export async function removeImageSources(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.removeImageSources>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  await trx.deleteFrom('media_images_sources').where('medium', '=', id).execute()
  await settle(trx, exchange, { id, before, action: call.removeImageSources.name })
  return done(null)
}
