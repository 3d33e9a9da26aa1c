import type { Reference } from '../../contract/catalogue.ts'
import type {
  CoverSize,
  getReferenceImage as getImageCall,
  replaceReferenceImage as replaceCall,
} from '../../contract/reference-images.ts'
import { invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import { coverFile, coverSides } from '../files/cover-files.ts'
import {
  type DrawnPicture,
  drawPicture,
  keepPicture,
  newPictureName,
  readPicture,
} from '../files/drawn-picture.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, refuse, violation } from '../http/outcome.ts'
import type { ServedPicture } from '../http/served-file.ts'
import { noSuchReference } from './change-reference.ts'
import { findReference, getReference, shownVersion } from './reference-queries.ts'

type GetInput = VerbInput<typeof getImageCall>
type ReplaceInput = VerbInput<typeof replaceCall>

/** Without asking the database: nobody knows a version but who was told the reference. */
export async function imageByVersion(files: string, { params, query }: GetInput) {
  return query.v === undefined ? null : readImage(files, params.id, query.v, query.size)
}

export async function imageOfReference(
  db: Db,
  { params, query }: GetInput,
  { environment }: Exchange,
): Promise<Outcome<ServedPicture>> {
  const version = await shownVersion(db, params.id)
  if (version === undefined) return noSuchReference
  const image = version === null ? null : await readImage(environment.files, params.id, version, query.size)
  return image ? done(image) : notFound('Cette référence n’a pas d’image.')
}

async function readImage(
  files: string,
  id: number,
  version: string,
  size: CoverSize,
): Promise<ServedPicture | null> {
  const { directory, name } = coverFile(id, version)
  const bytes = await readPicture(files, directory, name, coverSides[size])
  return bytes && { bytes, type: 'image/webp' }
}

/** Null too for whom the verb will refuse, so that nothing is drawn for them. */
export async function drawReferenceImage(
  { params: { id }, file }: ReplaceInput,
  { environment: { db }, caller }: Exchange,
): Promise<DrawnPicture | null> {
  const found = await db
    .selectFrom('references')
    .select('image_version')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const isGiven = found && (found.image_version === null || caller.rights.has('REFERENCE_EDIT'))
  return isGiven ? drawPicture(file.path, Object.values(coverSides)) : null
}

export async function replaceReferenceImage(
  trx: Trx,
  { params: { id }, file }: ReplaceInput,
  exchange: Exchange,
  drawn: DrawnPicture | null,
): Promise<Outcome<Reference>> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('references').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const before = await findReference(trx, id, exchange.visibility)
  if (!before) return noSuchReference
  if (before.image_source === 'own' && !exchange.caller.rights.has('REFERENCE_EDIT')) {
    return refuse({
      status: 403,
      message: 'Vous n’avez pas le droit de changer l’image d’une référence.',
      reason: 'RIGHT_MISSING',
    })
  }
  if (!drawn) return violation('file', `«\u00a0${shortFileName(file.name)}\u00a0» ${invalidFile}`)
  const image_version = newPictureName()
  await keepPicture(drawn, exchange.environment.files, coverFile(id, image_version))
  await trx.updateTable('references').set({ image_version }).where('id', '=', id).execute()
  const after = await getReference(trx, id, exchange.visibility)
  await journal(trx, exchange, {
    action: 'references.image',
    entity: 'references',
    entity_id: id,
    before: { image_path: before.image_path },
    after: { image_path: after.image_path },
  })
  return done(after)
}
