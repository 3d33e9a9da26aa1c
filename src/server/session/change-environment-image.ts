import type {
  removeEnvironmentImage as removeCall,
  replaceEnvironmentImage as replaceCall,
} from '../../contract/environment-image.ts'
import type { Trx } from '../db/handles.ts'
import { keepPicture } from '../files/keep-picture.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'

/** The image is shown at 88 pixels, on screens that draw up to three for one. */
const side = 512

export async function replaceEnvironmentImage(
  trx: Trx,
  { file }: VerbInput<typeof replaceCall>,
  exchange: Exchange,
): Promise<Outcome<{ image: string }>> {
  const { environment } = exchange
  const kept = await keepPicture(file, environment.files, { directory: 'images', side })
  if (!kept.ok) return kept
  await setImage(trx, exchange, kept.answer)
  return done({ image: `/api/image/env/${environment.id}` })
}

export async function removeEnvironmentImage(
  trx: Trx,
  _: VerbInput<typeof removeCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  await setImage(trx, exchange, null)
  return done(null)
}

async function setImage(trx: Trx, exchange: Exchange, image_path: string | null): Promise<void> {
  const { id, image_path: before } = await trx
    .selectFrom('environment')
    .select(['id', 'image_path'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before === image_path) return
  await trx.updateTable('environment').set({ image_path }).execute()
  await journal(trx, exchange, {
    action: 'image.replace',
    entity: 'environment',
    entity_id: id,
    before: { image_path: before },
    after: { image_path },
  })
}
