import { sql } from 'kysely'

import type { Import } from '../../contract/imports.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { type ImportSubject, importSubjects } from '../../domain/import-fields.ts'
import { remarkWords } from '../../domain/import-remarks.ts'
import { leftColumnsWords } from '../../domain/left-columns.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import type { Environment } from '../db/environment.ts'
import { analyzeEach } from '../db/analyze-tables.ts'
import type { Trx } from '../db/handles.ts'
import { readParameters } from '../db/parameters.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { readImport } from './change-import.ts'
import { findImport, lockImport, mayImport } from './import-queries.ts'
import { keepFile, rowsPathOf } from './import-place.ts'
import { doRows, startImport } from './run-import.ts'

type Asked = {
  path: string
  name: string
  username: string
  subject: string
  /** By its name; of copies and readers whose row names none. */
  site: string | null
  isDry: boolean
  now: () => Date
}

/** Imports a file of any size for a person of the library, and answers what came of it in sentences; a refusal is thrown. */
export async function importOnServer(environment: Environment, asked: Asked): Promise<string> {
  const { db, files } = environment
  if (!importSubjects.includes(asked.subject as ImportSubject)) {
    throw new BackupRefusedError(`--subject est l’un de\u202f: ${importSubjects.join(', ')}.`)
  }
  const subject = asked.subject as ImportSubject
  const as = <T>(work: (trx: Trx, exchange: Exchange) => Promise<T>) =>
    db.transaction().execute(async (trx) => work(trx, await exchangeOf(trx, environment, asked)))
  await as((_, exchange) => {
    if (mayImport(subject, exchange)) return Promise.resolve()
    throw new BackupRefusedError(`${asked.username} n’a pas le droit de faire cet import.`)
  })
  const kept = await keepFile(files, asked)
  const read = must(
    await as((trx, exchange) =>
      readImport(
        trx,
        { file: { ...nothingMore, ...asked }, query: { subject }, params: undefined, body: undefined },
        exchange,
        kept,
      ),
    ),
  )
  const tried = await runAll(environment, read.id, true, as)
  if (asked.isDry) return told(tried, await refusalsOf(environment, read.id), true)
  const done = await runAll(environment, read.id, false, as)
  return told(done, await refusalsOf(environment, read.id), false)
}

const nothingMore = { hash: '', fields: {}, forget: () => Promise.resolve() }

type As = <T>(work: (trx: Trx, exchange: Exchange) => Promise<T>) => Promise<T>

/** The steps that a job would do, here one after the other. */
async function runAll({ files }: Environment, id: number, isDry: boolean, as: As): Promise<Import> {
  must(
    await as(async (trx, exchange) => {
      const started = await startImport(
        trx,
        { params: { id }, query: undefined, body: undefined },
        exchange,
        isDry,
      )
      // This process does it itself.
      await sql`delete from jobs where ended_at is null and (input ->> 'import')::int = ${id}`.execute(trx)
      return started
    }),
  )
  for (let from: number | null = 0; from !== null;) {
    const start: number = from
    from = await as(async (trx, exchange) => {
      const kept = (await lockImport(trx, id))!
      const did = await doRows(trx, kept, { path: rowsPathOf(files, kept), from: start, isDry }, exchange)
      if (!did) throw new Error(`the rows of import ${id} are gone`)
      await analyzeEach(trx, did.grew)
      return did.next
    })
  }
  return as(async (trx, exchange) => (await findImport(trx, id, exchange))!)
}

async function exchangeOf(
  trx: Trx,
  environment: Environment,
  { username, site, now }: Asked,
): Promise<Exchange> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const place =
    site === null
      ? null
      : await trx
          .selectFrom('sites')
          .select('id')
          .where(sql<boolean>`search_text(name) = search_text(${site})`)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (place === undefined) throw new BackupRefusedError(`Aucun site ne s’appelle «\u00a0${site}\u00a0».`)
  const parameters = await readParameters(trx)
  const asker = { user_id: user?.id ?? 0, site: place?.id ?? null, device_id: null }
  const exchange = user && (await exchangeOfJob(trx, asker, { environment, parameters, now: now() }))
  if (!exchange) throw new BackupRefusedError(`Le compte ${username} n’existe pas, ou n’a pas ce site.`)
  return exchange
}

function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.answer
  throw new BackupRefusedError(outcome.refusal.message)
}

const refusalsOf = ({ db }: Environment, id: number) =>
  db
    .selectFrom('import_refusals')
    .select(['line', 'reason'])
    .where('import', '=', id)
    .orderBy('id')
    .limit(1000)
    .execute()

function told(
  { counts, rows, remarks, opened, mapping }: Import,
  refusals: readonly { line: number; reason: string }[],
  isDry: boolean,
): string {
  const left = leftColumnsWords(opened.columns, mapping)
  const [added, changed] = isDry ? ['à ajouter', 'à changer'] : ['ajoutées', 'changées']
  return [
    `${frenchNumber(rows)} lignes\u202f: ${frenchNumber(counts.added)} ${added}, ${frenchNumber(counts.changed)} ${changed}, ${frenchNumber(counts.unchanged)} inchangées, ${frenchNumber(counts.refused)} refusées.`,
    ...(left === null ? [] : [left]),
    ...remarks.flatMap(({ kind, count, lines }) => [
      `${remarkWords[kind]} (${frenchNumber(count)})`,
      ...lines.map(({ line, told }) => `  Ligne ${line}\u202f: ${told}`),
    ]),
    ...refusals.map(({ line, reason }) => `Ligne ${line}\u202f: ${reason}`),
    ...(counts.refused > refusals.length
      ? [`… et ${frenchNumber(counts.refused - refusals.length)} autres.`]
      : []),
  ].join('\n')
}
