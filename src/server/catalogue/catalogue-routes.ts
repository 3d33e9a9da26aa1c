import * as call from '../../contract/catalogue.ts'
import { copyStates, durationTypes } from '../../domain/loan-rules.ts'
import { read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { listCategories } from './category-queries.ts'
import { listCodes } from './code-list.ts'
import { listCopies } from './copy-queries.ts'
import { listMedia } from './medium-queries.ts'
import { findReference, listReferences } from './reference-queries.ts'

export const catalogueRoutes = [
  read(call.listCopies, async (db, { list }, exchange) => done(await listCopies(db, list, exchange))),
  read(call.listReferences, async (db, { list, query }, { sites, caller, parameters }) => {
    const scope = { sites, caller, timezone: parameters.get('timezone') }
    return done(await listReferences(db, list, query.with_copies ?? false, scope))
  }),
  read(call.getReference, async (db, { params }, exchange) => {
    const reference = await findReference(db, params.id, exchange)
    return reference ? done(reference) : notFound('Cette référence n’existe pas.')
  }),
  read(call.listMedia, async (db, { list }) => done(await listMedia(db, list))),
  read(call.listCategories, async (db, { list }) => done(await listCategories(db, list))),
  read(call.listCopyStates, (_, { list }) =>
    Promise.resolve(done(listCodes('CopyState', call.listCopyStates.path, copyStates, list))),
  ),
  read(call.listDurationTypes, (_, { list }) =>
    Promise.resolve(done(listCodes('DurationType', call.listDurationTypes.path, durationTypes, list))),
  ),
]
