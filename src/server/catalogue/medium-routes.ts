import {
  removeImageSources as removeImageSourcesCall,
  setImageSources as setImageSourcesCall,
} from '../../contract/image-sources.ts'
import { media } from '../../contract/media.ts'
import * as call from '../../contract/medium-changes.ts'
import { change, file, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { removeImageSources, setImageSources } from './image-sources.ts'
import { getConditions, getConditionsOfLoan, getConditionsSent, uploadConditions } from './loan-conditions.ts'
import { listAnalytics, mediumRows } from './medium-queries.ts'
import { moveReferences, removeMedium } from './remove-medium.ts'
import { addMedium, changeMedium, toggleMedium } from './save-medium.ts'

export const mediumRoutes = [
  read(media.list, async (db, { list }) => done(await mediumRows.list(db, list))),
  change(media.add, addMedium),
  change(media.change, changeMedium),
  change(media.remove, removeMedium),
  change(media.toggle, toggleMedium),
  change(call.uploadConditions, uploadConditions),
  change(call.moveReferences, moveReferences),
  change(setImageSourcesCall, setImageSources),
  change(removeImageSourcesCall, removeImageSources),
  file(call.getConditions, getConditions),
  file(call.getConditionsOfLoan, getConditionsOfLoan),
  file(call.getConditionsSent, getConditionsSent),
  read(call.listAnalytics, async (db, { list }) => done(await listAnalytics(db, list))),
]
