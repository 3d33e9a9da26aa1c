import { sql } from 'kysely'

import * as call from '../../contract/sync.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import { openAct } from '../http/act.ts'
import { changeAfter, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse, type Refused } from '../http/outcome.ts'
import { readImport } from '../imports/change-import.ts'
import { forgetPlace, keepFile, type KeptFile } from '../imports/import-place.ts'
import { findImport, noCounts } from '../imports/import-queries.ts'
import { startJob } from '../jobs/job.ts'
import { accountName } from '../library-facts/person-names.ts'
import { fetchSource, ofWholeLibrary, syncRefusal, UnreadSourceError } from './sync-source.ts'

type Input = VerbInput<typeof call.askSync>
type Fetched = { kept: KeptFile; name: string }

/** Has the file and reads all of its rows before the transaction, unless it would be refused anyway. */
async function prepareSync(_: Input, exchange: Exchange): Promise<Outcome<Fetched>> {
  const { syncSource, environment } = exchange
  const refusal = syncRefusal(exchange)
  if (refusal) return refusal
  if (syncSource === null) return notConfigured
  const locked = await lockRefusal(environment.db, exchange)
  if (locked) return locked
  if (fetching.has(environment)) return isBeginning
  fetching.add(environment)
  try {
    const source = await fetchSource(syncSource)
    const kept = await keepFile(environment.files, source).finally(source.forget)
    return kept.ok ? done({ kept: kept.answer, name: source.name }) : unread(kept.refusal.message)
  } catch (error) {
    if (!(error instanceof UnreadSourceError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    environment.tell({
      level: 'warn',
      message: `Le fichier de la synchronisation n’a pas pu être lu\u202f: ${why}`,
    })
    return unread(`${error.message}.`)
  } finally {
    fetching.delete(environment)
  }
}

/** Whose file is being fetched: it is held in memory, and a second press must not fetch it again. */
const fetching = new WeakSet<Environment>()

async function askSync(
  trx: Trx,
  input: Input,
  exchange: Exchange,
  fetched: Outcome<Fetched>,
): Promise<Outcome<call.Sync>> {
  if (!fetched.ok) return fetched
  const outcome = await askWith(trx, input, exchange, fetched.answer)
  if (!outcome.ok) await forgetPlace(exchange.environment.files, fetched.answer.kept.place)
  return outcome
}

/** Asks for what an import of readers would do, every value of the file taking the place of the one that is there. */
async function askWith(
  trx: Trx,
  input: Input,
  exchange: Exchange,
  { kept, name }: Fetched,
): Promise<Outcome<call.Sync>> {
  // Two that press at once have one.
  await lockInLibrary(trx, 'sync')
  const locked = await lockRefusal(trx, exchange)
  if (locked) return locked
  const file = { path: '', name, hash: '', fields: {}, forget: () => Promise.resolve() }
  const read = await readImport(
    trx,
    { ...input, file, query: { subject: 'readers' } },
    ofWholeLibrary(exchange),
    done(kept),
  )
  if (!read.ok) return read
  const { id, mapping, choices, rows } = read.answer
  const missing = importFieldsOf.readers.find((field) => isNeeded(field) && !mapping.includes(field.name))
  if (missing) return unread(`aucune colonne ne donne «\u00a0${missing.label}\u00a0».`)
  const policies = { ...everyValueTaken, ...choices.policies }
  const { act } = await openAct(trx, exchange, {
    kind: 'import.readers',
    name: `Synchronisation\u202f: ${name}`,
    isLasting: true,
  })
  await trx
    .updateTable('imports')
    .set({ status: 'running', choices: JSON.stringify({ ...choices, policies, site: null }), act })
    .where('id', '=', id)
    .execute()
  await startJob(trx, exchange, { kind: 'sync.run', input: { import: id }, total: rows })
  return done(await readSync(trx, exchange))
}

const isNeeded = ({ name, isRequired }: (typeof importFieldsOf.readers)[number]) =>
  isRequired || name === 'matricule'

const everyValueTaken = Object.fromEntries(
  importFieldsOf.readers.map(({ name }) => [name, 'overwrite' as const]),
)

/** Kept by no key: the same press that comes again hears what the first one came to. */
const isBeginning = refuse({
  status: 429,
  message: 'Une synchronisation commence\u202f: son fichier est en train d’être lu.',
  retryAfter: 12,
})

const notConfigured = refuse({
  status: 409,
  message:
    'La synchronisation n’est pas réglée\u202f: la personne qui s’occupe du serveur donne dans SYNC_SOURCE le fichier ou l’adresse des personnes.',
})

async function lockRefusal(db: Db | Trx, exchange: Exchange): Promise<Refused | null> {
  const { locked_for } = await readSync(db, exchange)
  if (locked_for === 0) return null
  const message = 'Une synchronisation a été demandée il y a moins de trois minutes.'
  return refuse({ status: 409, message, retryAfter: locked_for })
}

/** The fault is the source's: nothing that the caller sends makes it another. */
const unread = (why: string) =>
  refuse({ status: 502, message: `Le fichier des personnes n’a pas pu être lu\u202f: ${why}` })

export const syncRoutes = [
  read(call.getSync, async (db, _, exchange) => syncRefusal(exchange) ?? done(await readSync(db, exchange))),
  changeAfter(call.askSync, prepareSync, askSync),
]

type Row = Omit<call.LastSync, 'errors'>

/** What was asked for last, what became of it, and when another may be. */
async function readSync(db: Db | Trx, exchange: Exchange): Promise<call.Sync> {
  const is_configured = exchange.syncSource !== null
  const { rows } = await sql<Row>`
    select j.id as job, j.status, j.done, j.total, j.problem, j.created_at as asked_at, j.ended_at,
      ${accountName('u')} as who, i.name as file, ${JSON.stringify(noCounts)}::jsonb || i.counts as counts,
      i.id as import, i.act
    from jobs j join users u on u.id = j.user_id left join imports i on i.id = (j.input ->> 'import')::int
    where j.kind = 'sync.run' order by j.id desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return { is_configured, locked_for: 0, results_within: 0, last: null }
  const errors =
    row.import === null
      ? []
      : await db
          .selectFrom('import_refusals')
          .select(['line', 'field', 'reason'])
          .where('import', '=', row.import)
          .orderBy('line')
          .limit(call.mostErrors)
          .execute()
  const isReadable = row.import !== null && (await findImport(db, row.import, exchange)) !== null
  return {
    is_configured,
    locked_for: secondsLeft(row.asked_at, call.lockSeconds, exchange.now),
    results_within: row.ended_at === null ? secondsLeft(row.asked_at, call.resultsSeconds, exchange.now) : 0,
    last: { ...row, errors, ...(isReadable ? {} : { import: null, act: null }) },
  }
}

/** Of something that a clock set right since says is yet to come, nothing is left, else it would last until then. */
function secondsLeft(from: string, seconds: number, now: Date): number {
  const age = (now.getTime() - new Date(from).getTime()) / 1000
  return Math.abs(age) < seconds ? Math.min(seconds, Math.ceil(seconds - age)) : 0
}
