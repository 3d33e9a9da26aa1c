import * as v from 'valibot'

import type {
  Import,
  ImportRemarks,
  ImportSample,
  runImport as runImportCall,
} from '../../contract/imports.ts'
import { importFieldsOf, importSubjectWords } from '../../domain/import-fields.ts'
import { type Remark, remarkKinds } from '../../domain/import-remarks.ts'
import type { Trx } from '../db/handles.ts'
import type { Database } from '../db/schema.ts'
import { nextBarCode } from '../catalogue/next-bar-code.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { endAct, openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { startJob, type Step, type Stepped } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { changesInWords } from '../journal/changes-in-words.ts'
import { journalWords } from '../../contract/journal-words.ts'
import { underWay } from './change-import.ts'
import { importRows } from './import-rows.ts'
import { findImport, lockImport, mayImport, noCounts, noSuchImport } from './import-queries.ts'
import { rowsPathOf } from './import-place.ts'
import type { How, RowOutcome } from './outcome-of-row.ts'
import { readRows } from './rows-file.ts'

/** Asks for a dry run, or for the real one once a dry run has told what it does; a job does it, some rows at a time. */
export async function startImport(
  trx: Trx,
  { params: { id } }: VerbInput<typeof runImportCall>,
  exchange: Exchange,
  isDry: boolean,
): Promise<Outcome<Import>> {
  const kept = await lockImport(trx, id)
  const before = await findImport(trx, id, exchange)
  if (!kept || !before) return notFound(noSuchImport)
  const ready = isDry ? ['read', 'checked'] : ['checked']
  if (!ready.includes(before.status)) {
    return isDry || before.status !== 'read'
      ? underWay
      : conflict('WORK_UNDER_WAY', 'Essayez d’abord cet import\u202f: vous verrez ce qu’il ferait.')
  }
  const missing = missingField(before)
  if (missing) return violation('mapping', `Aucune colonne ne donne «\u00a0${missing}\u00a0».`)
  const { numbers_copies, site } = before.choices
  if (numbers_copies) {
    if (site === null)
      return violation('choices.site', 'Dites de quel site sont les exemplaires à numéroter.')
    const next = await nextBarCode(trx, site)
    if (!next.ok) return violation('choices.numbers_copies', next.refusal.message)
  }
  await trx.deleteFrom('import_refusals').where('import', '=', id).execute()
  await trx.deleteFrom('import_seen').where('import', '=', id).execute()
  // Of a dry run that was given up.
  await trx.deleteFrom('import_seen').where('import', '=', id).execute()
  const name = `${importSubjectWords[before.subject]}\u202f: ${before.name}`
  const act = isDry
    ? null
    : (await openAct(trx, exchange, { kind: `import.${before.subject}`, name, isLasting: true })).act
  await trx
    .updateTable('imports')
    .set({
      status: isDry ? 'checking' : 'running',
      counts: '{}',
      samples: '[]',
      unknown_sites: '[]',
      remarks: '[]',
      problem: null,
      act,
    })
    .where('id', '=', id)
    .execute()
  await startJob(trx, exchange, {
    kind: isDry ? 'imports.check' : 'imports.run',
    input: { import: id },
    total: before.rows,
  })
  return done((await findImport(trx, id, exchange))!)
}

/** Of a table, what no column gives and each row needs. */
function missingField({ subject, opened, mapping }: Import): string | null {
  if (opened.columns.length === 0) return null
  const field = importFieldsOf[subject].find(({ name, isRequired }) => isRequired && !mapping.includes(name))
  return field?.label ?? null
}

const asked = v.object({ import: v.number() })
const mostSamples = 100
/** Of each kind. */
const mostTold = 20

export const importStep: Step = (trx, { kind, input, cursor }, { exchange }) =>
  bringIn(
    trx,
    {
      input,
      cursor,
      isDry: kind === 'imports.check',
      may: ({ subject }) => mayImport(subject, exchange),
    },
    exchange,
  )

type BringingIn = {
  input: unknown
  cursor: number
  isDry: boolean
  may: (kept: Kept) => boolean
  /** Of a synchronisation: as whom its rows are brought in. */
  whole?: Exchange
}

/** A step of what was asked for by whichever right. */
export async function bringIn(
  trx: Trx,
  { input, cursor, isDry, may, whole }: BringingIn,
  exchange: Exchange,
): Promise<Stepped> {
  const { import: id } = v.parse(asked, input)
  const kept = await lockImport(trx, id)
  if (!kept) return { problem: noSuchImport }
  if (!may(kept)) {
    return giveUp(trx, kept, 'Votre compte n’a plus le droit de faire cet import.', exchange)
  }
  const path = rowsPathOf(exchange.environment.files, kept)
  const read = await doRows(trx, kept, { path, from: cursor, isDry, ...(whole ? { whole } : {}) }, exchange)
  if (!read)
    return giveUp(trx, kept, 'Le fichier n’est plus sur le serveur\u202f: envoyez-le de nouveau.', exchange)
  return { cursor: read.next ?? cursor, did: read.did, isLast: read.next === null, grew: read.grew }
}

type Doing = { path: string; from: number; isDry: boolean; whole?: Exchange }

/** Brings in the rows from a place on, as many as a step has, and notes what came of them; null without a file. */
export async function doRows(
  trx: Trx,
  kept: Kept,
  { path, from, isDry, whole }: Doing,
  exchange: Exchange,
): Promise<{
  did: number
  next: number | null
  outcomes: readonly RowOutcome[]
  grew: readonly (keyof Database)[]
} | null> {
  const read = await readRows(path, { from, most: rowsAStep(exchange) }).catch(unlessGone)
  if (!read) return null
  const as = whole ?? exchange
  const within = kept.act === null ? as : { ...as, act: kept.act }
  const { outcomes, words } = await importRows(
    trx,
    { subject: kept.subject, rows: read.rows, mapping: kept.mapping },
    {
      id: kept.id,
      isDry,
      isSync: whole !== undefined,
      choices: kept.choices,
      noticeFields: {
        frame: kept.choices.copy_frame ?? kept.opened.copies?.frame ?? '995',
        lent: kept.choices.lent ?? {},
        isIsbd: kept.opened.isbd ?? true,
      },
      leaves: leavesOf(kept, exchange),
    },
    within,
  )
  const grew = await note(trx, kept, { outcomes, words, isLast: read.next === null, isDry }, exchange)
  return { did: read.rows.length, next: read.next, outcomes, grew }
}

/** Bringing in is one right, changing what the library has another. */
function leavesOf({ subject }: Kept, { caller: { rights } }: Exchange): How['leaves'] {
  const isOfWorks = subject === 'references'
  return {
    works: isOfWorks && !rights.has('REFERENCE_EDIT'),
    copies: isOfWorks && !rights.has('COPY_MODIFY'),
  }
}

async function giveUp(trx: Trx, { id, act }: Kept, problem: string, exchange: Exchange) {
  await trx
    .updateTable('imports')
    .set({ status: 'done', problem, ended_at: exchange.now.toISOString() })
    .where('id', '=', id)
    .execute()
  if (act !== null) await endAct(trx, act, exchange)
  return { problem }
}

type Kept = NonNullable<Awaited<ReturnType<typeof lockImport>>>
type Noted = { outcomes: readonly RowOutcome[]; words: number; isLast: boolean; isDry: boolean }

/** Adds what a step did to what the import tells; answers the tables that have grown much by it, once it has ended. */
async function note(
  trx: Trx,
  { id, subject, counts, samples, unknown_sites, remarks, act }: Kept,
  { outcomes, words, isLast, isDry }: Noted,
  { now, caller }: Exchange,
): Promise<readonly (keyof Database)[]> {
  const total = { ...noCounts, ...counts }
  total.words += words
  for (const outcome of outcomes) {
    total[outcome.result] += 1
    if (outcome.result !== 'refused') total.copies += outcome.copies
  }
  const refused = outcomes.flatMap((one) => (one.result === 'refused' ? [one] : []))
  if (refused.length > 0) {
    await trx
      .insertInto('import_refusals')
      .values(
        refused.flatMap(({ line, at, whys }) =>
          whys.map(({ field, reason }) => ({ import: id, line, at, field, reason })),
        ),
      )
      .execute()
  }
  const { fields } = journalWords[entityOf[subject]]
  const more = outcomes.flatMap((one): ImportSample[] =>
    one.result === 'changed'
      ? [
          {
            line: one.line,
            name: one.name,
            result: 'changed',
            changes: changesInWords(fields, {
              before: one.before ?? null,
              after: one.after ?? null,
              rights: caller.rights,
              names: new Map(),
            }),
          },
        ]
      : [],
  )
  const told = outcomes.flatMap((one) =>
    one.result === 'refused' ? [] : (one.remarks ?? []).map((remark) => ({ line: one.line, ...remark })),
  )
  const strange = refused.flatMap(({ unknown_sites = [] }) => unknown_sites)
  const at = now.toISOString()
  await trx
    .updateTable('imports')
    .set({
      counts: JSON.stringify(total),
      samples: JSON.stringify([...samples, ...more].slice(0, mostSamples)),
      unknown_sites: JSON.stringify([...new Set([...unknown_sites, ...strange])].slice(0, mostSamples)),
      remarks: JSON.stringify(withMore(remarks, told)),
      ...(isLast ? { status: isDry ? ('checked' as const) : ('done' as const) } : {}),
      ...(isLast && !isDry ? { ended_at: at } : {}),
    })
    .where('id', '=', id)
    .execute()
  if (isLast && act !== null) await endAct(trx, act, { now })
  if (isLast) await trx.deleteFrom('import_seen').where('import', '=', id).execute()
  const isMuch = isLast && !isDry && total.added >= 1000
  return isMuch ? (['references', 'copies', 'beneficiaries', 'loanings', 'audit_journal'] as const) : []
}

/** Counts what is told by kind, and keeps the first lines of each. */
const withMore = (
  before: readonly ImportRemarks[],
  told: readonly (Remark & { line: number })[],
): ImportRemarks[] =>
  remarkKinds.flatMap((kind) => {
    const of = before.find((one) => one.kind === kind) ?? { kind, count: 0, lines: [] }
    const more = told.filter((one) => one.kind === kind)
    const count = of.count + more.length
    const lines = [...of.lines, ...more.map(({ line, told: words }) => ({ line, told: words }))]
    return count === 0 ? [] : [{ kind, count, lines: lines.slice(0, mostTold) }]
  })

/** In whose words the changes of an import are told. */
const entityOf = { references: 'references', readers: 'beneficiaries', loans: 'loanings' } as const
