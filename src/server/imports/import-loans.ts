import { sql } from 'kysely'

import { ageBandOf } from '../../domain/age-bands.ts'
import { cleanScan } from '../../domain/bar-code.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import {
  conflict,
  done,
  notFound,
  type Outcome,
  type Refused,
  violation,
  violations,
} from '../http/outcome.ts'
import { openLoanOf } from '../loans/circulating-copy.ts'
import { lendTerms } from '../loans/lend-terms.ts'
import { lendingFacts, lockToLend } from '../loans/lending-facts.ts'
import { getLoan } from '../loans/loan-rows.ts'
import { isReaderOpen, isSiteOpen } from '../visibility/visibility.ts'
import type { How, RowOutcome } from './outcome-of-row.ts'
import { remember, seenBefore } from './seen-keys.ts'
import type { ValueRow, Why } from './work-row.ts'

/** What a verb does or refuses to one row, of which a refusal or a dry run leaves nothing. */
const attempt = <T>(trx: Trx, isDry: boolean, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
  asPart(trx, work, ({ ok }) => ok && !isDry)

/** Brings in the loans that are open in another system: they were made there, so that no rule refuses them here. */
export async function importLoans(
  trx: Trx,
  rows: readonly ValueRow[],
  how: How,
  exchange: Exchange,
): Promise<RowOutcome[]> {
  const seen = await seenBefore(
    trx,
    how,
    rows.flatMap((row) => [keyOf(row), keyWithReader(row)]),
  )
  const met = new Set(seen.keys())
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    const { line, at } = row
    const key = keyOf(row)
    if (row.whys.length === 0 && met.has(keyWithReader(row))) {
      outcomes.push({ line, at, result: 'unchanged', name: String(row.values['bar_code']), copies: 0 })
      continue
    }
    if (met.has(key)) {
      const reason = 'Cet exemplaire est déjà prêté à une ligne d’avant.'
      outcomes.push({ line, at, result: 'refused', whys: [...row.whys, { reason, field: 'bar_code' }] })
      continue
    }
    const outcome = await attempt(trx, how.isDry, () => importLoan(trx, row, exchange))
    if (outcome.ok) {
      outcomes.push({ line, at, copies: 0, ...outcome.answer })
      if (how.isDry) met.add(key).add(keyWithReader(row))
    } else outcomes.push({ line, at, result: 'refused', whys: [...row.whys, ...whysOf(outcome)] })
  }
  await remember(
    trx,
    how,
    [...met].map((key) => ({ key, leaves: null })),
  )
  return outcomes
}

const whysOf = ({ refusal: { message, violations } }: Refused): Why[] =>
  violations?.map(({ propertyPath, message: reason }) => ({ field: propertyPath, reason })) ?? [
    { field: null, reason: message },
  ]

const keyOf = ({ values }: ValueRow): string => `loan:${cleanScan(String(values['bar_code']))}`

/** The same loan again, as far as its line tells without a look at the readers. */
const keyWithReader = (row: ValueRow): string =>
  `${keyOf(row)}:${JSON.stringify([row.values['matricule'] ?? null, row.values['reader_id'] ?? null])}`

type Imported = { result: 'added' | 'unchanged'; name: string }

async function importLoan(
  trx: Trx,
  { values, whys }: ValueRow,
  exchange: Exchange,
): Promise<Outcome<Imported>> {
  const copy = await findCopy(trx, values)
  const reader = await findReader(trx, values, whys)
  const faults = [copy, reader].flatMap((found) => (found.ok ? [] : (found.refusal.violations ?? [])))
  if (!copy.ok || !reader.ok || whys.length > 0) return violations(faults)
  const start_date = String(values['start_date'])
  const lend = {
    copy: copy.answer,
    beneficiary: reader.answer,
    start_date,
    comment: '',
    conditions_given: false,
  }
  await lockToLend(trx, lend)
  const facts = await lendingFacts(trx, lend, exchange.today)
  if (!facts || facts.reader === null || !isReaderOpen(exchange.visibility, facts.agency_id)) {
    return notFound('Ce lecteur n’existe pas, ou est d’un autre site.')
  }
  if (!isSiteOpen(exchange.visibility, facts.site)) {
    return violation('bar_code', 'Cet exemplaire est d’un site qui ne vous est pas ouvert.')
  }
  if (start_date > exchange.today) return violation('start_date', 'Ce prêt commence après aujourd’hui.')
  const open = facts.status === 'En Location' ? await openLoanOf(trx, lend.copy) : null
  if (open) {
    return open.beneficiary === reader.answer
      ? done({ result: 'unchanged', name: facts.name })
      : conflict('ALREADY_DONE', `«\u00a0${facts.name}\u00a0» est déjà prêté à quelqu’un d’autre.`)
  }
  if (facts.status !== 'Disponible') {
    return conflict('ALREADY_DONE', `«\u00a0${facts.name}\u00a0» est «\u00a0${facts.status}\u00a0».`)
  }
  const terms = lendTerms({ ...lend, ...dueOf(values) }, facts, start_date, {
    ...exchange,
    site: facts.site,
  })
  if (terms.end_date < start_date) return violation('end_date', 'Le retour prévu est avant le prêt.')
  const { id } = await trx
    .insertInto('loanings')
    .values({
      loan_key: null,
      beneficiary: reader.answer,
      relative: null,
      copy: lend.copy,
      site: facts.site,
      start_date,
      end_date: terms.end_date,
      ...terms.duration,
      comment: String(values['comment'] ?? ''),
      override_reason: null,
      end_date_flagged: terms.end_date !== terms.dueByRules,
      conditions_given: null,
      reminded_on: null,
      age_band: ageBandOf(facts, start_date),
      audience: facts.audience,
      free_reason: null,
      lent_by: exchange.caller.user_id,
      lent_at: exchange.now.toISOString(),
      lent_received_at: exchange.now.toISOString(),
      lent_device: null,
      ...notReturned,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.updateTable('copies').set({ status: 'En Location' }).where('id', '=', lend.copy).execute()
  const after = await getLoan(trx, id, exchange.today)
  await journal(trx, exchange, { action: 'loan.lend', entity: 'loanings', entity_id: id, after })
  return done({ result: 'added', name: facts.name })
}

const notReturned = {
  return_date: null,
  state: null,
  delay_reason: null,
  penalty_count: null,
  penalty_duration: null,
  penalty_amount: null,
  returned_by: null,
  returned_at: null,
  returned_received_at: null,
  returned_device: null,
  state_before_return: null,
  deleted_at: null,
} as const

const dueOf = ({ end_date }: ValueRow['values']) =>
  typeof end_date === 'string' ? { expected_return_date: end_date } : {}

/** A row whose code cannot be read says so itself. */
async function findCopy(trx: Trx, { bar_code: read }: ValueRow['values']): Promise<Outcome<number>> {
  if (read === undefined) return violations([])
  const bar_code = cleanScan(String(read))
  const id = await idOf(trx, sql`select id from copies where bar_code = ${bar_code} and deleted_at is null`)
  return id === null
    ? violation('bar_code', `Aucun exemplaire ne porte le code-barres ${bar_code}.`)
    : done(id)
}

async function findReader(
  trx: Trx,
  { matricule, reader_id }: ValueRow['values'],
  whys: readonly Why[],
): Promise<Outcome<number>> {
  if (matricule === undefined && reader_id === undefined) {
    if (whys.some(({ field }) => field === 'matricule' || field === 'reader_id')) return violations([])
    return violation(
      'matricule',
      'La ligne ne dit pas qui a emprunté\u202f: il faut un matricule ou un numéro de carte.',
    )
  }
  const [column, number, field] =
    matricule === undefined
      ? [sql.ref('reader_id'), String(reader_id), 'reader_id']
      : [sql.ref('matricule'), String(matricule), 'matricule']
  const id = await idOf(
    trx,
    sql`select id from beneficiaries where ${column} = ${number} and deleted_at is null`,
  )
  return id === null ? violation(field, `Aucun lecteur n’a le numéro ${number}.`) : done(id)
}

async function idOf(trx: Trx, query: ReturnType<typeof sql>): Promise<number | null> {
  const { rows } = await (query as ReturnType<typeof sql<{ id: number }>>).execute(trx)
  return rows[0]?.id ?? null
}
