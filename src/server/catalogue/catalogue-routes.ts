import { sql } from 'kysely'

import {
  exportCopies as exportCopiesCall,
  exportReferences as exportReferencesCall,
} from '../../contract/catalogue-exports.ts'
import * as call from '../../contract/catalogue.ts'
import { listCopyStates, listDurationTypes } from '../../contract/code-lists.ts'
import {
  addCopies as addCopiesCall,
  addCopy as addCopyCall,
  changeCopy as changeCopyCall,
  removeCopy as removeCopyCall,
} from '../../contract/copies.ts'
import {
  getFoundImage as getFoundImageCall,
  lookUpCode as lookUpCodeCall,
} from '../../contract/external-codes.ts'
import { type Collection, collection, type ListQuery } from '../../contract/list.ts'
import {
  type CoverSize,
  getReferenceImage,
  replaceReferenceImage as replaceImageCall,
} from '../../contract/reference-images.ts'
import {
  addReference as addReferenceCall,
  changeReference as changeReferenceCall,
  removeReference as removeReferenceCall,
} from '../../contract/references.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import { copyStates, type CopyStatus, durationTypes } from '../../domain/loan-rules.ts'
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
import { aMomentAgo, change, changeAfter, file, picture, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, notFound, type Outcome, refuse, violation } from '../http/outcome.ts'
import type { ServedPicture } from '../http/served-file.ts'
import { cancelReservationsOf } from '../queue/change-queue.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { addCopies, addCopy } from './add-copies.ts'
import { addReference } from './add-references.ts'
import { changeCopy } from './change-copy.ts'
import { changeReference, noSuchReference } from './change-reference.ts'
import { listCopies } from './copy-queries.ts'
import { exportCopies } from './export-copies.ts'
import { exportReferences } from './export-references.ts'
import { listRoutes } from './list-routes.ts'
import { getFoundImage, lookUpCode } from './look-up/find-notice.ts'
import { mediumRoutes } from './medium-routes.ts'
import { findReference, getReference, listReferences, shownVersion } from './reference-queries.ts'
import { removeCopy } from './remove-copy.ts'

type Code<K> = { position: number; code: K; name: string }
type CodeItem<T, K> = { '@id': string; '@type': T; id: K; code: K; name: string }

const { compare } = new Intl.Collator('fr')

function difference(field: string, one: Code<string>, other: Code<string>): number {
  switch (field) {
    case 'code':
      return compare(one.code, other.code)
    case 'name':
      return compare(one.name, other.name)
    default:
      return one.position - other.position
  }
}

/** One page of the product's own codes, in their order there by default. */
function listCodes<T extends string, K extends string>(
  type: T,
  path: string,
  names: Readonly<Record<K, string>>,
  { page, limit, order }: ListQuery,
): Collection<CodeItem<T, K>> {
  const codes = (Object.keys(names) as K[]).map((code, position) => ({ position, code, name: names[code] }))
  // The last order sorts first, because sorting is stable.
  for (const { field, direction } of order.toReversed()) {
    const sign = direction === 'asc' ? 1 : -1
    codes.sort((one, other) => sign * difference(field, one, other))
  }
  const members = codes
    .slice((page - 1) * limit, page * limit)
    .map(({ code, name }) => ({ '@id': `${path}/${code}`, '@type': type, id: code, code, name }))
  return collection(members, codes.length)
}

type Held = { id: number; site: number; status: CopyStatus }

/** Its copies leave with it, and whoever waits for it no longer does; nothing of it may be on loan or under way. */
async function removeReference(
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

type GetInput = VerbInput<typeof getReferenceImage>
type ReplaceInput = VerbInput<typeof replaceImageCall>

/** Without asking the database: nobody knows a version but who was told the reference. */
async function imageByVersion(files: string, { params, query }: GetInput) {
  return query.v === undefined ? null : readImage(files, params.id, query.v, query.size)
}

async function imageOfReference(
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
async function drawReferenceImage(
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

async function replaceReferenceImage(
  trx: Trx,
  { params: { id }, file }: ReplaceInput,
  exchange: Exchange,
  drawn: DrawnPicture | null,
): Promise<Outcome<call.Reference>> {
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

export const catalogueRoutes = [
  read(call.listCopies, async (db, { list }, { visibility }) => done(await listCopies(db, list, visibility))),
  read(call.listReferences, async (db, { list, query }, { visibility, parameters }) => {
    const scope = { visibility, timezone: parameters.get('timezone') }
    return done(await listReferences(db, list, query.with_copies ?? false, scope))
  }),
  aMomentAgo(file(exportCopiesCall, exportCopies)),
  aMomentAgo(file(exportReferencesCall, exportReferences)),
  read(call.getReference, async (db, { params }, { visibility }) => {
    const reference = await findReference(db, params.id, visibility)
    return reference ? done(reference) : notFound('Cette référence n’existe pas.')
  }),
  read(lookUpCodeCall, lookUpCode),
  picture(getFoundImageCall, null, getFoundImage),
  change(addReferenceCall, addReference),
  change(changeReferenceCall, changeReference),
  change(removeReferenceCall, removeReference),
  picture(getReferenceImage, imageByVersion, imageOfReference),
  changeAfter(replaceImageCall, drawReferenceImage, replaceReferenceImage),
  change(addCopyCall, addCopy),
  change(addCopiesCall, addCopies),
  change(changeCopyCall, changeCopy),
  change(removeCopyCall, removeCopy),
  ...mediumRoutes,
  ...listRoutes,
  read(listCopyStates, (_, { list }) =>
    Promise.resolve(done(listCodes('CopyState', listCopyStates.path, copyStates, list))),
  ),
  read(listDurationTypes, (_, { list }) =>
    Promise.resolve(done(listCodes('DurationType', listDurationTypes.path, durationTypes, list))),
  ),
]
