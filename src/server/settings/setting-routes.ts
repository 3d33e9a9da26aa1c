import * as call from '../../contract/settings.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { ownFilterRoutes } from './own-filters.ts'
import { parameterRows } from './parameter-rows.ts'
import { reasonRoutes } from './reasons.ts'
import { siteRows } from './site-rows.ts'
import { translationRows } from './translation-rows.ts'
import { updateParameter } from './update-parameter.ts'
import { viewRoutes } from './views.ts'

export const settingRoutes = [
  read(call.parameters.list, async (db, { list }) => done(await parameterRows.list(db, list))),
  change(call.updateParameter, updateParameter),
  read(call.sites.list, async (db, { list }) => done(await siteRows.list(db, list))),
  read(call.getSite, async (db, { params }) => {
    const site = await siteRows.find(db, params.id)
    return site ? done(site) : notFound('Ce site n’existe pas.')
  }),
  ...reasonRoutes,
  ...ownFilterRoutes,
  ...viewRoutes,
  read(call.translations.list, async (db, { list }) => done(await translationRows.list(db, list))),
]
