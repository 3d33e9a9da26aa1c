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
import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import {
  getReferenceImage,
  replaceReferenceImage as replaceImageCall,
} from '../../contract/reference-images.ts'
import {
  addReference as addReferenceCall,
  changeReference as changeReferenceCall,
  removeReference as removeReferenceCall,
} from '../../contract/references.ts'
import { copyStates, durationTypes } from '../../domain/loan-rules.ts'
import { aMomentAgo, change, changeAfter, file, picture, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { addCopies, addCopy } from './add-copies.ts'
import { addReference } from './add-references.ts'
import { changeCopy } from './change-copy.ts'
import { changeReference } from './change-reference.ts'
import { listCopies } from './copy-queries.ts'
import { exportCopies } from './export-copies.ts'
import { exportReferences } from './export-references.ts'
import { listRoutes } from './list-routes.ts'
import { getFoundImage, lookUpCode } from './look-up/look-up-code.ts'
import { mediumRoutes } from './medium-routes.ts'
import {
  drawReferenceImage,
  imageByVersion,
  imageOfReference,
  replaceReferenceImage,
} from './reference-image.ts'
import { findReference, listReferences } from './reference-queries.ts'
import { removeCopy } from './remove-copy.ts'
import { removeReference } from './remove-reference.ts'

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
