import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { importCounts, refusedLine } from './imports.ts'
import { jobStatuses } from './jobs.ts'
import { id, instant } from './wire.ts'

/** For so long after one was asked for, no other is. */
export const lockSeconds = 180
/** For so long its results may still come; meanwhile nothing is locked. */
export const resultsSeconds = 3600
/** The lines in error that are told with it; all of them are in the report of its import. */
export const mostErrors = 100

const last = v.object({
  job: id,
  status: v.picklist(jobStatuses),
  /** Lines, `done` of `total`. */
  done: v.number(),
  total: v.number(),
  problem: v.nullable(v.string()),
  asked_at: instant,
  ended_at: v.nullable(instant),
  who: v.string(),
  /** Null once its import is forgotten. */
  file: v.nullable(v.string()),
  counts: v.nullable(importCounts),
  errors: v.array(refusedLine),
  /** Its report and its act, for whoever may read them. */
  import: v.nullable(id),
  act: v.nullable(id),
})

const sync = v.object({
  is_configured: v.boolean(),
  /** Seconds rather than instants, because a device's clock may be wrong; 0 once another may be asked for. */
  locked_for: v.number(),
  /** Seconds that the results may still take; 0 once they are there, or late. */
  results_within: v.number(),
  last: v.nullable(last),
})
export type Sync = v.InferOutput<typeof sync>
export type LastSync = v.InferOutput<typeof last>

export const getSync = endpoint({
  name: 'sync.get',
  method: 'GET',
  path: '/api/sync',
  access: 'PARAMETER_SYNCRONIZE',
  summary: 'La dernière synchronisation des lecteurs, ce qu’elle a fait et ses erreurs',
  answer: sync,
})

export const askSync = endpoint({
  name: 'sync.ask',
  method: 'POST',
  path: '/api/sync',
  access: 'PARAMETER_SYNCRONIZE',
  summary: 'Lancer la synchronisation des lecteurs\u202f; une toutes les trois minutes au plus',
  answer: sync,
  status: 202,
})

export const syncEndpoints = [getSync, askSync]
