import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import type { Logger } from 'pino'

import { BackupRefusedError } from '../backup/backup-refused.ts'
import { atOneInstant } from '../backup/dump-environment.ts'
import { openStillEngine } from '../backup/still-copy.ts'
import { openPool } from '../db/connections/pool.ts'
import { saysDiskFull } from '../db/environments/disk-trouble.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { seesWholeLibrary } from '../visibility/visibility.ts'
import { ArchiveStoppedError, makeArchive, sizeOfArchive } from './make-archive.ts'

const mostAttempts = 3
/** An archive without a sign of life for so long was left by a server that is gone. */
const lostAfterMs = 5 * 60_000
const signOfLifeMs = 1000

type Looking = { now: () => Date; stopping?: AbortSignal }
type Asked = { id: number; user_id: number; place: string; attempts: number }

/** Makes the archives that people asked for, one after the other, and forgets those whose day is over. */
export async function makeArchives(environment: Environment, { now, stopping }: Looking): Promise<void> {
  await sweepArchives(environment.db, environment.files, now())
  for (;;) {
    if (stopping?.aborted) return
    const asked = await claim(environment, now())
    if (!asked) return
    await make(environment, asked, { now, ...(stopping ? { stopping } : {}) })
  }
}

async function claim({ db }: Environment, now: Date): Promise<Asked | null> {
  const lost = new Date(now.getTime() - lostAfterMs).toISOString()
  const { rows } = await sql<Asked>`
    update archives set status = 'running', attempts = attempts + 1, touched_at = ${now.toISOString()}, done = 0
    where id = (
      select id from archives
      where status = 'queued' or (status = 'running' and touched_at < ${lost}::timestamptz)
      order by id limit 1 for update skip locked
    ) returning id, user_id, place::text as place, attempts`.execute(db)
  return rows[0] ?? null
}

async function make(environment: Environment, asked: Asked, looking: Looking): Promise<void> {
  const { now } = looking
  const end = (how: { status: 'done' | 'failed'; problem: string | null; size: number | null }) =>
    environment.db
      .updateTable('archives')
      .set({ ...how, ended_at: now().toISOString() })
      .where('id', '=', asked.id)
      .execute()
  const fail = async (problem: string) => {
    // A half archive helps nobody, holds every reader, and may be what fills the disk.
    await rm(pathOfArchive(environment.files, asked.place), { force: true })
    await end({ status: 'failed', problem, size: null })
  }
  if (!(await mayHaveIt(environment, asked, now()))) {
    await fail('Votre compte n’a plus le droit de faire cette archive.')
    return
  }
  try {
    await end({ status: 'done', problem: null, size: await write(environment, asked, looking) })
  } catch (error) {
    const isStopped = error instanceof ArchiveStoppedError
    const problem = isStopped ? null : problemOf(error, asked)
    if (problem === null) await askAgain(environment, asked, { now: now(), counts: !isStopped })
    else await fail(problem)
    if (!isStopped) throw error
  }
}

/** What ends it, or null where another attempt may do better. */
function problemOf(error: unknown, { attempts }: Asked): string | null {
  if (error instanceof BackupRefusedError) return error.message
  if (saysDiskFull(error))
    return 'Le disque du serveur est plein\u202f: prévenez la personne qui s’en occupe.'
  return attempts >= mostAttempts ? 'Une erreur inattendue s’est produite.' : null
}

const askAgain = (
  { db }: Environment,
  { id, attempts }: Asked,
  { now, counts }: { now: Date; counts: boolean },
) =>
  db
    .updateTable('archives')
    .set({ status: 'queued', touched_at: now.toISOString(), attempts: counts ? attempts : attempts - 1 })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()

/** Rights and sites as they are now, whatever they were when it was asked for. */
const mayHaveIt = (environment: Environment, { user_id }: Asked, now: Date): Promise<boolean> =>
  environment.db.transaction().execute(async (trx) => {
    const parameters = await readParameters(trx)
    const asker = { user_id, site: null, device_id: null }
    const exchange = await exchangeOfJob(trx, asker, { environment, parameters, now })
    return (
      exchange !== null &&
      exchange.caller.rights.has('PARAMETER_GENERAL') &&
      seesWholeLibrary(exchange.visibility)
    )
  })

async function write(environment: Environment, asked: Asked, { now, stopping }: Looking): Promise<number> {
  const { db, files } = environment
  const path = await placeForArchive(files, asked.place)
  let told = 0
  const tell = async (values: { done?: number; total?: number }) => {
    await db
      .updateTable('archives')
      .set({ ...values, touched_at: now().toISOString() })
      .where('id', '=', asked.id)
      .execute()
  }
  return readStill(environment, async (trx) => {
    await tell({ total: await sizeOfArchive(trx) })
    return makeArchive({
      trx,
      files,
      path,
      now: now(),
      ...(stopping ? { stopping } : {}),
      onProgress: (done) => {
        if (performance.now() - told < signOfLifeMs) return
        told = performance.now()
        // The next sign tells what this one could not.
        tell({ done }).catch(() => undefined)
      },
    })
  })
}

/** The whole library in one file, whoever asks; answers its size. */
export const writeArchive = (environment: Environment, path: string): Promise<number> =>
  readStill(environment, (trx) => makeArchive({ trx, files: environment.files, path, now: new Date() }))

/** The embedded engine does one thing at a time: a copy of it is read, and counters go on meanwhile (decision 0007). */
async function readStill<T>(environment: Environment, read: (trx: Trx) => Promise<T>): Promise<T> {
  if (environment.engine === null) return atOneInstant(environment.reads, read)
  const still = await openStillEngine(environment.files)
  try {
    const { pool, db } = openPool({ ...still.engine.connection, max: 1 })
    return await atOneInstant(db, read).finally(() => pool.end())
  } finally {
    await still.close()
  }
}

export const startArchives = (settings: {
  environments: LoopSettings['environments']
  logger: Logger
}): BackgroundLoop =>
  startLoop({
    ...settings,
    pollEvery: 30_000,
    outOfReach: 'an archive failed, or archives are out of reach',
    look: (environment, stopping) => makeArchives(environment, { now: () => new Date(), stopping }),
  })

/** A library's whole data does not lie about. */
export const keptHours = 24

/** Where archives lie among the environment's files; no backup takes them along. */
const directoryOf = (files: string) => join(files, 'archives')
export const pathOfArchive = (files: string, place: string) => join(directoryOf(files), `${place}.zip`)

/** A path for a new archive, for this account alone. */
async function placeForArchive(files: string, place: string): Promise<string> {
  await mkdir(directoryOf(files), { recursive: true, mode: 0o700 })
  const path = pathOfArchive(files, place)
  // What an attempt that was cut short has left.
  await rm(path, { force: true })
  return path
}

/** Forgets archives after their day, and files that no archive has. */
export async function sweepArchives(db: Db, files: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * 3600_000).toISOString()
  await db.deleteFrom('archives').where('ended_at', '<', before).execute()
  const names = (await readdir(directoryOf(files)).catch(unlessGone)) ?? []
  if (names.length === 0) return
  // Read after the files: the row of one is written before it.
  const { rows } = await sql<{ place: string }>`select place::text as place from archives`.execute(db)
  const known = new Set(rows.map(({ place }) => `${place}.zip`))
  for (const name of names) if (!known.has(name)) await rm(join(directoryOf(files), name), { force: true })
}
