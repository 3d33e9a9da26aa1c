import * as v from 'valibot'

import { startSteps, startTasks } from '../domain/start-steps.ts'
import { endpoint } from './endpoint.ts'

const stepState = v.picklist(['left', 'later', 'done'])

/** What the sample is, with codes to try: a reader's card and copies that nobody has. */
const sample = v.object({
  references: v.number(),
  copies: v.number(),
  readers: v.number(),
  reader_id: v.nullable(v.string()),
  bar_codes: v.array(v.string()),
})

const startState = v.object({
  '@type': v.literal('Start'),
  /** Whether the list of what is left has been put away. */
  dismissed: v.boolean(),
  steps: v.object(v.entriesFromList(startSteps, stepState)),
  /** The sample's own readers, titles and loans count for nothing. */
  tasks: v.object(v.entriesFromList(startTasks, v.boolean())),
  sample: v.nullable(sample),
  /** The code of the preset that was laid down last. */
  preset: v.nullable(v.string()),
})
export type StartState = v.InferOutput<typeof startState>

export const getStart = endpoint({
  name: 'start.get',
  method: 'GET',
  path: '/api/start',
  access: 'PARAMETER_GENERAL',
  summary: 'Ce qui est fait et ce qui reste à faire avant le premier prêt',
  answer: startState,
})

export const markStep = endpoint({
  name: 'start.mark_step',
  method: 'POST',
  path: '/api/start/step',
  access: 'PARAMETER_GENERAL',
  summary: 'Dire une étape faite, ou la remettre à plus tard',
  body: v.strictObject({
    step: v.picklist(startSteps, 'n’est pas une étape'),
    state: v.picklist(['later', 'done'], 'doit être later ou done'),
  }),
  answer: startState,
})

export const dismissStart = endpoint({
  name: 'start.dismiss',
  method: 'POST',
  path: '/api/start/dismiss',
  access: 'PARAMETER_GENERAL',
  summary: 'Ne plus montrer à l’accueil ce qui reste à faire, ou le montrer de nouveau',
  body: v.strictObject({ dismissed: v.optional(v.boolean(), true) }),
  answer: startState,
})

export const addSample = endpoint({
  name: 'start.add_sample',
  method: 'POST',
  path: '/api/start/sample',
  access: 'PARAMETER_GENERAL',
  summary: 'Poser un exemple de titres et de lecteurs, qui se retire en une fois',
  answer: startState,
  status: 201,
})

export const removeSample = endpoint({
  name: 'start.remove_sample',
  method: 'DELETE',
  path: '/api/start/sample',
  access: 'PARAMETER_GENERAL',
  summary: 'Retirer l’exemple, avec les prêts de ses lecteurs',
  answer: startState,
})

export const startEndpoints = [getStart, markStep, dismissStart, addSample, removeSample]
