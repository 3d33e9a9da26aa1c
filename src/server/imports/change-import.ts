import { sql } from 'kysely'

import type {
  changeImport as changeImportCall,
  Import,
  ImportChoices,
  Mapping,
  OpenedFile,
  readImport as readImportCall,
} from '../../contract/imports.ts'
import type { ImportSubject } from '../../domain/import-fields.ts'
import { recognise } from '../../domain/recognise-columns.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, notFound, type Outcome, violation } from '../http/outcome.ts'
import type { Charset, ImportFileOptions } from '../import-files/import-file.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { forgetRows, keepFile, type KeptFile, readFile } from './import-place.ts'
import { findImport, lockImport, mayImport, noSuchImport } from './import-queries.ts'

/** By what a file is known as one of a shape: the names of its columns, in order. */
const signatureOf = (columns: OpenedFile['columns']): string =>
  columns.map(({ name }) => name.trim().toLowerCase()).join('\u001f')

type Kept = { name: string; mapping: Mapping; choices: ImportChoices }

/** The mapping that was last kept for files of this shape. */
async function keptMapping(trx: Trx, subject: ImportSubject, columns: string): Promise<Kept | null> {
  if (columns === '') return null
  const { rows } = await sql<Kept>`
    select name, mapping, choices from import_mappings
    where subject = ${subject} and columns = ${columns} order by date_update desc limit 1`.execute(trx)
  return rows[0] ?? null
}

type Named = Kept & { subject: ImportSubject; columns: string }

async function keepMapping(
  trx: Trx,
  { subject, name, columns, mapping, choices }: Named,
  { now }: Exchange,
): Promise<void> {
  await sql`
    insert into import_mappings (subject, name, columns, mapping, choices, date_update)
    values (${subject}, ${name}, ${columns}, ${JSON.stringify(mapping)}, ${JSON.stringify(choices)}, ${now.toISOString()})
    on conflict (subject, search_text(name)) do update
    set columns = excluded.columns, mapping = excluded.mapping, choices = excluded.choices, date_update = excluded.date_update`.execute(
    trx,
  )
}

type ReadInput = VerbInput<typeof readImportCall>

/** Reads a file before its transaction; what it refuses is told of the field `file`. */
export const prepareImport = ({ file, query }: ReadInput, exchange: Exchange): Promise<Outcome<KeptFile>> =>
  mayImport(query.subject, exchange)
    ? keepFile(exchange.environment.files, file)
    : Promise.resolve(forbidden())

export async function readImport(
  trx: Trx,
  { file, query: { subject } }: ReadInput,
  exchange: Exchange,
  kept: Outcome<KeptFile>,
): Promise<Outcome<Import>> {
  if (!kept.ok) return kept
  const { place, rows_file, opened, rows, damaged, size } = kept.answer
  const known = await keptMapping(trx, subject, signatureOf(opened.columns))
  const found = recognise(subject, opened.columns).map(({ field }) => field)
  const { id } = await trx
    .insertInto('imports')
    .values({
      subject,
      name: file.name,
      size,
      place,
      rows_file,
      opened: JSON.stringify({ ...opened, known_as: known?.name ?? null }),
      rows,
      damaged,
      mapping: JSON.stringify(known?.mapping ?? found),
      choices: JSON.stringify({
        ...noChoices,
        ...known?.choices,
        sites: openSites(known?.choices.sites ?? {}, exchange),
        site: exchange.site,
      }),
      status: 'read',
      problem: null,
      act: null,
      user_id: exchange.caller.user_id,
      site: exchange.site,
      created_at: exchange.now.toISOString(),
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return done((await findImport(trx, id, exchange))!)
}

/** Of the sites that an earlier file named, those that the caller may use. */
const openSites = (sites: Record<string, number>, { visibility }: Exchange) =>
  Object.fromEntries(Object.entries(sites).filter(([, site]) => isSiteOpen(visibility, site)))

const noChoices = { policies: {}, sites: {}, numbers_copies: false, makes_words: true }

type ChangeInput = VerbInput<typeof changeImportCall>

/** Reads the file anew where it is to be read otherwise; null where it is not. */
export async function prepareChange(
  { params: { id }, body }: ChangeInput,
  exchange: Exchange,
): Promise<Outcome<KeptFile> | null> {
  const { charset, delimiter, sheet, has_header } = body
  if ([charset, delimiter, sheet, has_header].every((one) => one === undefined)) return null
  const { db, files } = exchange.environment
  const before = await findImport(db, id, exchange)
  if (!before) return notFound(noSuchImport)
  if (before.status !== 'read' && before.status !== 'checked') return underWay
  const { place } = await db
    .selectFrom('imports')
    .select('place')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { opened } = before
  const isChosen = opened.charset?.how === 'chosen'
  const again: ImportFileOptions = {
    name: before.name,
    header: has_header ?? opened.has_header,
    ...(charset ? { charset } : isChosen ? { charset: opened.charset?.name as Charset } : {}),
    ...(delimiter ? { delimiter } : opened.delimiter ? { delimiter: opened.delimiter } : {}),
    ...(sheet ? { sheet } : opened.sheet ? { sheet: opened.sheet } : {}),
  }
  return readFile(files, place, again)
}

export async function changeImport(
  trx: Trx,
  { params: { id }, body }: ChangeInput,
  exchange: Exchange,
  reread: Outcome<KeptFile> | null,
): Promise<Outcome<Import>> {
  const kept = await lockImport(trx, id)
  const before = await findImport(trx, id, exchange)
  if (!kept || !before) return notFound(noSuchImport)
  if (before.status !== 'read' && before.status !== 'checked') return underWay
  if (reread && !reread.ok) return reread
  const opened = reread?.answer.opened ?? before.opened
  const isOfColumns = body.mapping === undefined || body.mapping.length === opened.columns.length
  if (!isOfColumns) return violation('mapping', 'Il faut un champ, ou aucun, pour chaque colonne du fichier.')
  const isOther = reread && signatureOf(opened.columns) !== signatureOf(before.opened.columns)
  // In other signs, or parted otherwise, it may be of a shape that is known.
  const known = isOther ? await keptMapping(trx, before.subject, signatureOf(opened.columns)) : null
  const mapping =
    body.mapping ??
    known?.mapping ??
    (isOther ? recognise(before.subject, opened.columns).map(({ field }) => field) : before.mapping)
  const choices = changedChoices(
    known
      ? {
          ...known.choices,
          sites: { ...openSites(known.choices.sites, exchange), ...before.choices.sites },
          site: before.choices.site,
        }
      : before.choices,
    body.choices,
  )
  const isAsKept = isOther ? known !== null : isSame(mapping, before.mapping)
  const known_as = body.keep_as ?? (isAsKept ? (known?.name ?? before.opened.known_as ?? null) : null)
  const { site = null, sites = {} } = body.choices ?? {}
  const named = [...Object.values(sites), ...(site === null ? [] : [site])]
  if (named.some((one) => !isSiteOpen(exchange.visibility, one))) {
    return violation('choices.site', 'Ce site n’existe pas, ou ne vous est pas ouvert.')
  }
  await trx
    .updateTable('imports')
    .set({
      mapping: JSON.stringify(mapping),
      choices: JSON.stringify(choices),
      status: 'read',
      counts: '{}',
      samples: '[]',
      unknown_sites: '[]',
      remarks: '[]',
      problem: null,
      opened: JSON.stringify({ ...opened, known_as }),
      ...(reread
        ? {
            rows_file: reread.answer.rows_file,
            rows: reread.answer.rows,
            damaged: reread.answer.damaged,
          }
        : {}),
    })
    .where('id', '=', id)
    .execute()
  if (body.keep_as !== undefined) {
    await keepMapping(
      trx,
      { subject: before.subject, name: body.keep_as, columns: signatureOf(opened.columns), mapping, choices },
      exchange,
    )
  }
  const answer = (await findImport(trx, id, exchange))!
  const { files } = exchange.environment
  return reread ? { ok: true, answer, afterwards: () => forgetRows(files, kept) } : done(answer)
}

const isSame = (one: Mapping, other: Mapping) => JSON.stringify(one) === JSON.stringify(other)

const changedChoices = (before: ImportChoices, sent: ChangeInput['body']['choices'] = {}): ImportChoices => ({
  policies: sent.policies ?? before.policies,
  sites: sent.sites ?? before.sites,
  site: sent.site === undefined ? before.site : sent.site,
  numbers_copies: sent.numbers_copies ?? before.numbers_copies,
  makes_words: sent.makes_words ?? before.makes_words,
  copy_frame: sent.copy_frame === undefined ? (before.copy_frame ?? null) : sent.copy_frame,
  lent: sent.lent ?? before.lent ?? {},
})

export const underWay = conflict(
  'WORK_UNDER_WAY',
  'Cet import est en cours, ou terminé\u202f: il ne se change plus.',
)
