import * as call from '../../contract/catalogue.ts'
import { copyStates, durationTypes } from '../../domain/loan-rules.ts'
import { read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { categoryRoutes } from './categories.ts'
import { listCodes } from './code-list.ts'
import { listCopies } from './copy-queries.ts'
import { keywordRoutes } from './keywords.ts'
import { locationRoutes } from './locations.ts'
import { listMedia } from './medium-queries.ts'
import { findReference, listReferences } from './reference-queries.ts'

export const catalogueRoutes = [
  read(call.listCopies, async (db, { list }, { sight }) => done(await listCopies(db, list, sight))),
  read(call.listReferences, async (db, { list, query }, { sight, parameters }) => {
    const scope = { sight, timezone: parameters.get('timezone') }
    return done(await listReferences(db, list, query.with_copies ?? false, scope))
  }),
  read(call.getReference, async (db, { params }, { sight }) => {
    const reference = await findReference(db, params.id, sight)
    return reference ? done(reference) : notFound('Cette référence n’existe pas.')
  }),
  read(call.listMedia, async (db, { list }) => done(await listMedia(db, list))),
  ...categoryRoutes,
  ...keywordRoutes,
  ...locationRoutes,
  read(call.listCopyStates, (_, { list }) =>
    Promise.resolve(done(listCodes('CopyState', call.listCopyStates.path, copyStates, list))),
  ),
  read(call.listDurationTypes, (_, { list }) =>
    Promise.resolve(done(listCodes('DurationType', call.listDurationTypes.path, durationTypes, list))),
  ),
]
