import * as call from '../../contract/settings.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { listParameters } from './parameter-queries.ts'
import { findSite, listReasons, listSites, listTranslations } from './setting-queries.ts'
import { updateParameter } from './update-parameter.ts'

export const settingRoutes = [
  read(call.listParameters, async (db, { list }) => done(await listParameters(db, list))),
  change(call.updateParameter, updateParameter),
  read(call.listSites, async (db, { list }) => done(await listSites(db, list))),
  read(call.getSite, async (db, { params }) => {
    const site = await findSite(db, params.id)
    return site ? done(site) : notFound('Ce site n’existe pas.')
  }),
  read(call.listReasons, async (db, { list }) => done(await listReasons(db, list))),
  read(call.listTranslations, async (db, { list }) => done(await listTranslations(db, list))),
]
