import { sql } from 'kysely'
import type { Logger } from 'pino'

import type { JobKind } from '../../contract/jobs.ts'
import { analyzeEach } from '../db/analyze-tables.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { exchangeOfJob } from './job-exchange.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from './background-loop.ts'
import type { AfterFailure, Step, Stepped } from './job.ts'
import { learnPace, paceFor } from './pace.ts'

export type Steps = Readonly<Record<JobKind, Step>>
export type AfterFailures = Readonly<Partial<Record<JobKind, AfterFailure>>>

const mostAttempts = 5
/** In milliseconds: who is told after each short step would ask the engine as often as the job does. */
const tellEvery = 1000

type Looking = {
  environment: Environment
  steps: Steps
  afterFailures?: AfterFailures
  now: () => Date
  stopping?: AbortSignal
  onStep?: () => void
}

/** Does a step of each job in turn; a step's transaction locks its job, so processes can share them. */
export async function runJobs({
  environment,
  steps,
  afterFailures = {},
  now,
  stopping,
  onStep,
}: Looking): Promise<void> {
  const isStopping = () => stopping?.aborted ?? false
  let toldAt = 0
  try {
    while (!isStopping()) {
      const taken = await runStep(environment, { steps, afterFailures }, now())
      if (taken === 'none') return
      if (taken !== 'done') throw taken.error
      if (performance.now() - toldAt < tellEvery) continue
      onStep?.()
      toldAt = performance.now()
    }
  } finally {
    if (toldAt > 0) onStep?.()
  }
}

async function runStep(
  environment: Environment,
  { steps, afterFailures }: { steps: Steps; afterFailures: AfterFailures },
  now: Date,
): Promise<'none' | 'done' | { error: unknown }> {
  // Others go first, between two steps, where the engine does one thing at a time.
  const { background: db } = environment
  let id: number | null = null
  let from = 0
  let done: Stepped | null = null
  try {
    const taken = await db.transaction().execute(async (trx) => {
      const job = await trx
        .selectFrom('jobs')
        .select(['id', 'kind', 'input', 'cursor', 'done', 'user_id', 'site', 'device_id'])
        .where('ended_at', 'is', null)
        .orderBy(sql`stepped_at nulls first, id`)
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!job) return 'none'
      from = performance.now()
      id = job.id
      paceFor(environment, job.kind)
      const parameters = await readParameters(trx)
      const exchange = await exchangeOfJob(trx, job, { environment, parameters, now })
      const stepped = exchange
        ? await steps[job.kind](trx, job, { now, parameters, exchange })
        : { problem: 'Le compte qui l’a demandé est fermé, ou n’a plus ce site.' }
      if ('problem' in stepped) {
        await fail(trx, { ...job, problem: stepped.problem }, afterFailures, now)
        return 'done'
      }
      await trx
        .updateTable('jobs')
        .set({ ...stateAfter(stepped, job.done, now), stepped_at: now.toISOString() })
        .where('id', '=', job.id)
        .execute()
      done = stepped
      return 'done'
    })
    const ended = done as Exclude<Stepped, { problem: string }> | null
    if (ended && !ended.isLast) learnPace(environment, ended.did, performance.now() - from)
    await analyzeEach(db, ended?.grew ?? [])
    return taken
  } catch (error) {
    if (id !== null) await countAttempt(db, id, afterFailures, now)
    return { error }
  }
}

function stateAfter(stepped: Exclude<Stepped, { problem: string }>, before: number, now: Date) {
  const done = before + stepped.did
  const how = { cursor: stepped.cursor, done, attempts: 0 }
  return stepped.isLast
    ? { ...how, status: 'done' as const, ended_at: now.toISOString() }
    : { ...how, status: 'running' as const }
}

type Failing = { id: number; kind: JobKind; input: unknown; user_id: number; problem: string }

async function fail(
  trx: Trx,
  { problem, ...job }: Failing,
  afterFailures: AfterFailures,
  now: Date,
): Promise<void> {
  const after = await afterFailures[job.kind]?.(trx, job, now)
  const at = now.toISOString()
  await trx
    .updateTable('jobs')
    .set({
      status: 'failed',
      problem: after === undefined ? problem : `${problem} ${after}`,
      stepped_at: at,
      ended_at: at,
    })
    .where('id', '=', job.id)
    .execute()
}

/** Tries the step again later, after those of other jobs. */
const countAttempt = (db: Db, id: number, afterFailures: AfterFailures, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { attempts, ...job } = await trx
      .updateTable('jobs')
      .set((row) => ({ attempts: row('attempts', '+', 1), stepped_at: now.toISOString() }))
      .where('id', '=', id)
      .returning(['id', 'kind', 'input', 'user_id', 'attempts'])
      .executeTakeFirstOrThrow()
    if (attempts < mostAttempts) return
    await fail(trx, { ...job, problem: 'Une erreur inattendue s’est produite.' }, afterFailures, now)
  })

type JobSettings = {
  environments: LoopSettings['environments']
  steps: Steps
  afterFailures: AfterFailures
  logger: Logger
  now?: () => Date
  pollEvery?: number
  /** Called after steps, which may have queued mails. */
  onStep?: () => void
}

export const startJobs = ({
  environments,
  steps,
  afterFailures,
  logger,
  now = () => new Date(),
  onStep,
  ...how
}: JobSettings): BackgroundLoop =>
  startLoop({
    ...how,
    environments,
    logger,
    outOfReach: 'a job failed, or jobs are out of reach',
    look: (environment, stopping) =>
      runJobs({
        environment,
        steps,
        afterFailures,
        now,
        stopping,
        ...(onStep ? { onStep } : {}),
      }),
  })
