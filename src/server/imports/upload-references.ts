import * as v from 'valibot'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { type Mapping, rowsAtOnce, type uploadReferences as uploadCall } from '../../contract/imports.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { analyzeEach } from '../db/analyze-tables.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { readImport } from './change-import.ts'
import { findImport, lockImport } from './import-queries.ts'
import { keepFile, type KeptFile, rowsPathOf } from './import-place.ts'
import type { RowOutcome } from './outcome-of-row.ts'
import { doRows, startImport } from './run-import.ts'

type Input = VerbInput<typeof uploadCall>
type Answer = AnswerOf<typeof uploadCall>

export const prepareUpload = ({ file }: Input, { environment }: Exchange): Promise<Outcome<KeptFile>> =>
  keepFile(environment.files, file)

/** Reads, tries and brings in a file in one call; a long one is asked for and followed. */
export async function uploadReferences(
  trx: Trx,
  { file, query }: Input,
  exchange: Exchange,
  file_kept: Outcome<KeptFile>,
): Promise<Outcome<Answer>> {
  const read = await readImport(
    trx,
    { file, query: { subject: 'references' }, params: undefined, body: undefined },
    exchange,
    file_kept,
  )
  if (!read.ok) return read
  const { id, opened, rows } = read.answer
  const mapping = mappingOf(file.fields['mapping'], read.answer.mapping, opened.columns)
  if (!mapping.ok) return mapping
  if (opened.columns.length > 0 && !mapping.answer.includes('name')) {
    return violation('mapping', 'Aucune colonne ne donne «\u00a0Titre\u00a0».')
  }
  await trx
    .updateTable('imports')
    .set({ mapping: JSON.stringify(mapping.answer) })
    .where('id', '=', id)
    .execute()
  const isDry = query.dry_run ?? false
  if (rows > rowsAtOnce) {
    // What a dry run is for is read in the answer of one: here the caller has asked for the whole.
    if (!isDry) await trx.updateTable('imports').set({ status: 'checked' }).where('id', '=', id).execute()
    const started = await startImport(
      trx,
      { params: { id }, query: undefined, body: undefined },
      exchange,
      isDry,
    )
    return started.ok ? done(started.answer, 202) : started
  }
  if (!isDry) {
    const { act } = await openAct(trx, exchange, {
      kind: 'import.references',
      name: `Références et exemplaires\u202f: ${file.name}`,
      isLasting: true,
    })
    await trx.updateTable('imports').set({ act }).where('id', '=', id).execute()
  }
  const outcomes = await doAll(trx, id, isDry, exchange)
  const errors = await trx
    .selectFrom('import_refusals')
    .select(['line', 'field', 'reason'])
    .where('import', '=', id)
    .orderBy('id')
    .execute()
  if (!isDry) return done(errors)
  const tried = await findImport(trx, id, exchange)
  const columns = opened.columns.map(({ name, values }, at) => ({
    name,
    field: mapping.answer[at] ?? null,
    values,
  }))
  return done({ columns, rows: statesOf(outcomes), counts: tried!.counts, errors })
}

const statesOf = (outcomes: readonly RowOutcome[]) =>
  outcomes.map(({ line, result }) => ({ line, state: result })).sort((a, b) => a.line - b.line)

async function doAll(trx: Trx, id: number, isDry: boolean, exchange: Exchange): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from: number | null = 0; from !== null;) {
    const kept = (await lockImport(trx, id))!
    const path = rowsPathOf(exchange.environment.files, kept)
    const did = await doRows(trx, kept, { path, from, isDry }, exchange)
    if (!did) throw new Error(`the rows of import ${id} are gone`)
    outcomes.push(...did.outcomes)
    await analyzeEach(trx, did.grew)
    from = did.next
  }
  return outcomes
}

const sentMapping = v.record(v.string(), v.nullable(v.string()))

/** The mapping as it was sent, by the names of columns; a column that it does not name keeps what it seems to give. */
function mappingOf(
  sent: string | undefined,
  found: Mapping,
  columns: readonly { name: string }[],
): Outcome<Mapping> {
  if (sent === undefined || sent === '') return done(found)
  let parsed: Record<string, string | null>
  try {
    parsed = v.parse(sentMapping, JSON.parse(sent))
  } catch {
    return violation('mapping', 'doit être un objet JSON\u202f: à chaque colonne son champ, ou null.')
  }
  const names = importFieldsOf.references.map(({ name }) => name)
  const strange = Object.values(parsed).find((field) => field !== null && !names.includes(field))
  if (strange) return violation('mapping', `Le champ «\u00a0${strange}\u00a0» n’existe pas.`)
  const missing = Object.keys(parsed).find((name) => !columns.some((column) => column.name === name))
  if (missing !== undefined)
    return violation('mapping', `La colonne «\u00a0${missing}\u00a0» n’est pas dans le fichier.`)
  const chosen = new Set(Object.values(parsed))
  const mapping = columns.map(({ name }, at) =>
    Object.hasOwn(parsed, name)
      ? (parsed[name] ?? null)
      : chosen.has(found[at] ?? null)
        ? null
        : (found[at] ?? null),
  )
  const fields = mapping.filter((field) => field !== null)
  const twice = fields.find((field, at) => fields.indexOf(field) !== at)
  if (twice !== undefined)
    return violation('mapping', `Deux colonnes donnent le même champ «\u00a0${twice}\u00a0».`)
  return done(mapping)
}
