import type {
  removeEnvironmentImage as removeCall,
  replaceEnvironmentImage as replaceCall,
} from '../../contract/environment-image.ts'
import type { Trx } from '../db/handles.ts'
import { invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import {
  type DrawnPicture,
  drawPicture,
  keepPicture,
  newPictureName,
  pathOfPicture,
} from '../files/drawn-picture.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'

/** The image is shown at 88 pixels, on screens that draw up to three for one. */
const side = 512

type Input = VerbInput<typeof replaceCall>

export const drawEnvironmentImage = ({ file }: Input) => drawPicture(file.path, [side])

export async function replaceEnvironmentImage(
  trx: Trx,
  { file }: Input,
  exchange: Exchange,
  drawn: DrawnPicture | null,
): Promise<Outcome<{ image: string }>> {
  if (!drawn) return violation('file', `«\u00a0${shortFileName(file.name)}\u00a0» ${invalidFile}`)
  const { environment } = exchange
  const kept = { directory: 'images', name: newPictureName() }
  await keepPicture(drawn, environment.files, kept)
  await setImage(trx, exchange, pathOfPicture(kept.directory, kept.name, side))
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
