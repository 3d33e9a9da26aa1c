import { sql } from 'kysely'
import * as v from 'valibot'

import type { Import } from '../../contract/imports.ts'
import { addSite as addSiteCall } from '../../contract/site-changes.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { type ImportSubject, importSubjects, importSubjectWords } from '../../domain/import-fields.ts'
import { comparableName } from '../../domain/comparable-name.ts'
import { remarkWords } from '../../domain/import-remarks.ts'
import { leftColumnsWords } from '../../domain/left-columns.ts'
import { plainlyOther } from '../../domain/recognise-columns.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import type { Environment } from '../db/environments/environment.ts'
import { analyzeEach } from '../db/analyze-tables.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readParameters } from '../library-facts/parameters.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { addSite } from '../settings/save-site.ts'
import { changeImport, readImport } from './change-import.ts'
import { findImport, lockImport, mayImport } from './import-queries.ts'
import { forgetPlace, keepFile, rowsPathOf } from './import-place.ts'
import { doRows, startImport } from './run-import.ts'

type Asked = {
  path: string
  name: string
  username: string
  /** A catalogue where it is not said and its columns are not plainly those of something else. */
  subject: string | null
  /** By its name; of copies and readers whose row names none. */
  site: string | null
  /** By what the file calls a site, the name that it has here. */
  sitesOf?: ReadonlyMap<string, string>
  /** Names of sites, of which those that nobody has are added. */
  newSites?: readonly string[]
  isDry: boolean
  now: () => Date
}

/** Imports a file of any size for a person of the library, and answers what came of it in sentences; a refusal is thrown. */
export async function importOnServer(environment: Environment, asked: Asked): Promise<string> {
  if (asked.subject !== null && !importSubjects.includes(asked.subject as ImportSubject)) {
    throw new BackupRefusedError(`--subject est l’un de\u202f: ${importSubjects.join(', ')}.`)
  }
  const { db } = environment
  const within =
    (trx: Trx): As =>
    async (work, site = asked.site) =>
      work(trx, await exchangeOf(trx, environment, { ...asked, site }))
  if (asked.isDry && asked.newSites?.length) {
    return leavingNothing(db, (trx) => bringInFile(environment, asked, within(trx)))
  }
  return bringInFile(environment, asked, (work, site) =>
    db.transaction().execute((trx) => within(trx)(work, site)),
  )
}

/** Does in one transaction a trial that adds the sites that it needs, of which nothing is left. */
async function leavingNothing(db: Db, work: (trx: Trx) => Promise<string>): Promise<string> {
  const over = new Error('a trial is over')
  let told = ''
  const tried = db.transaction().execute(async (trx) => {
    told = await work(trx)
    throw over
  })
  await tried.catch((error: unknown) => {
    if (error !== over) throw error
  })
  return told
}

/** Does a part as the person, at the file's site unless another one, or none, is said. */
type As = <T>(work: (trx: Trx, exchange: Exchange) => Promise<T>, site?: string | null) => Promise<T>

async function bringInFile(environment: Environment, asked: Asked, as: As): Promise<string> {
  const { files } = environment
  const subject = (asked.subject ?? 'references') as ImportSubject
  await as((_, exchange) => {
    if (mayImport(subject, exchange)) return Promise.resolve()
    throw new BackupRefusedError(`${asked.username} n’a pas le droit de faire cet import.`)
  }, null)
  const kept = await keepFile(files, asked)
  const { place, opened } = must(kept)
  const other = asked.subject === null ? plainlyOther(subject, opened.columns) : null
  if (other !== null) {
    await forgetPlace(files, place)
    throw new BackupRefusedError(
      `Ces colonnes sont celles de ${importSubjectWords[other].toLowerCase()}\u202f: ajoutez --subject=${other} (ou --subject=${subject}, si c’est bien un catalogue).`,
    )
  }
  const isTrialAlone = asked.isDry && asked.newSites?.length
  try {
    if (asked.newSites?.length) await as((trx, exchange) => addSites(trx, asked, exchange), null)
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
    if (asked.sitesOf?.size) await as((trx, exchange) => sayWhichSites(trx, read, asked, exchange))
    const tried = await runAll(environment, read.id, true, as)
    if (asked.isDry) return await as((trx, exchange) => told(trx, tried, exchange, true))
    const done = await runAll(environment, read.id, false, as)
    return await as((trx, exchange) => told(trx, done, exchange, false))
  } finally {
    if (isTrialAlone) await forgetPlace(files, place)
  }
}

const sitesByName = async (trx: Trx): Promise<ReadonlyMap<string, number>> => {
  const sites = await trx.selectFrom('sites').select(['id', 'name']).where('deleted_at', 'is', null).execute()
  return new Map(sites.map(({ id, name }) => [comparableName(name), id]))
}

async function addSites(trx: Trx, { newSites = [], username }: Asked, exchange: Exchange): Promise<void> {
  const known = await sitesByName(trx)
  const missing = newSites.filter((name) => !known.has(comparableName(name)))
  if (missing.length > 0 && !exchange.caller.rights.has('PARAMETER_SITE')) {
    throw new BackupRefusedError(`${username} n’a pas le droit d’ajouter un site.`)
  }
  for (const name of missing) {
    const body = v.safeParse(addSiteCall.body, { name })
    if (!body.success) {
      throw new BackupRefusedError(`«\u00a0${name}\u00a0» ne va pas comme nom d’un site.`)
    }
    must(await addSite(trx, { body: body.output, params: undefined, query: undefined }, exchange))
  }
}

/** Says of the names in the file which sites they are, as the screen does. */
async function sayWhichSites(
  trx: Trx,
  { id, choices }: Import,
  { sitesOf = new Map() }: Asked,
  exchange: Exchange,
): Promise<void> {
  const known = await sitesByName(trx)
  const said = [...sitesOf].map(([theirs, ours]): [string, number] => {
    const site = known.get(comparableName(ours))
    if (site !== undefined) return [theirs, site]
    throw new BackupRefusedError(`${noSite(ours)}${howToAdd(ours, exchange)}`)
  })
  const sites = { ...choices.sites, ...Object.fromEntries(said) }
  must(
    await changeImport(
      trx,
      { params: { id }, query: undefined, body: { choices: { sites } } },
      exchange,
      null,
    ),
  )
}

const noSite = (name: string): string => `Aucun site ne s’appelle «\u00a0${name}\u00a0».`

/** Nothing to who may not add a site. */
function howToAdd(name: string, { caller, visibility, parameters }: Exchange): string {
  if (!caller.rights.has('PARAMETER_SITE') || visibility.open !== null) return ''
  const first = parameters.flag('multisite')
    ? ''
    : 'activez d’abord «\u00a0Plusieurs sites\u00a0» (Réglages, Paramètres généraux), puis '
  return ` Pour l’ajouter\u202f: ${first}--create-site="${name}".`
}

const nothingMore = { hash: '', fields: {}, forget: () => Promise.resolve() }

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
  if (place === undefined) throw new BackupRefusedError(noSite(String(site)))
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

const refusalsOf = (trx: Trx, id: number) =>
  trx
    .selectFrom('import_refusals')
    .select(['line', 'reason'])
    .where('import', '=', id)
    .orderBy('id')
    .limit(1000)
    .execute()

const plural = (count: number, one: string, many: string) =>
  `${frenchNumber(count)} ${count > 1 ? many : one}`

async function told(
  trx: Trx,
  { id, counts, rows, remarks, opened, mapping, unknown_sites }: Import,
  exchange: Exchange,
  isDry: boolean,
): Promise<string> {
  const refusals = await refusalsOf(trx, id)
  const whys = new Map<number, string[]>()
  for (const { line, reason } of refusals) whys.set(line, [...(whys.get(line) ?? []), reason])
  const left = leftColumnsWords(opened.columns, mapping)
  const did = (count: number, toDo: string, one: string, many: string) =>
    isDry ? `${frenchNumber(count)} ${toDo}` : plural(count, one, many)
  const outcomes = [
    did(counts.added, 'à ajouter', 'ajoutée', 'ajoutées'),
    did(counts.changed, 'à changer', 'changée', 'changées'),
    plural(counts.unchanged, 'inchangée', 'inchangées'),
    plural(counts.refused, 'refusée', 'refusées'),
  ]
  return [
    `${plural(rows, 'ligne', 'lignes')}\u202f: ${outcomes.join(', ')}.`,
    ...(left === null ? [] : [left]),
    ...remarks.flatMap(({ kind, count, lines }) => [
      `${remarkWords[kind]} (${frenchNumber(count)})`,
      ...lines.map(({ line, told }) => `  Ligne ${line}\u202f: ${told}`),
    ]),
    ...[...whys].map(([line, reasons]) => `Ligne ${line}\u202f: ${reasons.join(' ')}`),
    ...(counts.refused > whys.size ? [`… et ${plural(counts.refused - whys.size, 'autre', 'autres')}.`] : []),
    ...(unknown_sites.length > 0
      ? [
          `Sites du fichier que personne ne connaît\u202f: ${unknown_sites.map((name) => `«\u00a0${name}\u00a0»`).join(', ')}.`,
          `  Pour dire lequel c’est\u202f: --site-of="NOM DU FICHIER=NOM D’ICI".${howToAdd('NOM', exchange)}`,
        ]
      : []),
  ].join('\n')
}
