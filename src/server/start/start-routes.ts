import { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import * as call from '../../contract/start.ts'
import { change, changeAfter, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { addSample } from './add-sample.ts'
import { layPreset } from './lay-preset.ts'
import { dismissStart, markStep } from './mark-step.ts'
import { planSample } from './plan-sample.ts'
import { readStart } from './read-start.ts'
import { removeSample } from './remove-sample.ts'

export const startRoutes = [
  read(call.getStart, async (db) => done(await readStart(db))),
  change(call.markStep, markStep),
  change(layPresetCall, layPreset),
  change(call.dismissStart, dismissStart),
  // The demonstration's catalogue is read from its file before the transaction.
  changeAfter(call.addSample, planSample, addSample),
  change(call.removeSample, removeSample),
]
