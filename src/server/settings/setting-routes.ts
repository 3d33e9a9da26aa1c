import * as call from '../../contract/settings.ts'
import { change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { ownFilterRoutes } from './own-filters.ts'
import { parameterRows } from './parameter-rows.ts'
import { siteRoutes } from './site-routes.ts'
import { changeTranslation, translationRows } from './translations.ts'
import { updateParameter, updateParameters } from './update-parameter.ts'
import { viewRoutes } from './views.ts'

export const settingRoutes = [
  read(call.parameters.list, async (db, { list }) => done(await parameterRows.list(db, list))),
  change(call.updateParameter, updateParameter),
  change(call.updateParameters, updateParameters),
  ...siteRoutes,
  ...ownFilterRoutes,
  ...viewRoutes,
  read(call.translations.list, async (db, { list }) => done(await translationRows.list(db, list))),
  change(call.changeTranslation, changeTranslation),
]
