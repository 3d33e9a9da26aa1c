import { sql } from 'kysely'
import * as v from 'valibot'

import {
  addBeneficiary as addCall,
  updateBeneficiary as updateCall,
} from '../../contract/beneficiary-changes.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { fullName } from '../../domain/person-names.ts'
import { addBeneficiary } from '../beneficiaries/add-beneficiary.ts'
import { findBeneficiaryInSight } from '../beneficiaries/beneficiary-queries.ts'
import { updateBeneficiary } from '../beneficiaries/update-beneficiary.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { readerOpen, type Sight } from '../sight/sight.ts'
import { attempt } from './attempt.ts'
import { findSites, type SiteOf } from './find-sites.ts'
import type { ValueRow } from './work-row.ts'
import { type How, policyOf, type RowOutcome, takesPlace } from './outcome-of-row.ts'
import { metBefore, remember } from './seen-keys.ts'

/** Brings in readers, each by the product's own verb; one with a known number is the same reader. */
export async function importReaders(
  trx: Trx,
  rows: readonly ValueRow[],
  how: How,
  exchange: Exchange,
): Promise<RowOutcome[]> {
  const siteOf = await findSites(trx, how, exchange)
  // A dry run has not written the earlier line, which the real one would find.
  const met = await metBefore(trx, how, rows.map(keyOf))
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    const key = keyOf(row)
    const { line, at } = row
    const outcome: RowOutcome = met.has(key)
      ? { line, at, result: 'unchanged', name: nameOf(row), copies: 0 }
      : await importReader(trx, row, { how, siteOf }, exchange)
    if (how.isDry && outcome.result !== 'refused') met.add(key)
    outcomes.push(outcome)
  }
  await remember(trx, how, [...met])
  return outcomes
}

const nameOf = ({ values }: ValueRow): string =>
  fullName({ firstname: String(values['firstname'] ?? ''), lastname: String(values['lastname']) })

/** The number of a reader, else their name and year of birth. */
const keyOf = ({ values }: ValueRow): string => {
  const number = values['matricule'] ?? values['reader_id']
  return number === undefined
    ? `name:${String(values['lastname'])}|${String(values['firstname'] ?? '')}|${String(values['birth_year'] ?? '')}`.toLowerCase()
    : `${values['matricule'] === undefined ? 'card' : 'number'}:${String(number)}`
}

type Looking = { how: How; siteOf: SiteOf }

async function importReader(
  trx: Trx,
  row: ValueRow,
  { how, siteOf }: Looking,
  exchange: Exchange,
): Promise<RowOutcome> {
  const { line, at, values } = row
  const refuse = (reason: string, field: string | null = null): RowOutcome => ({
    line,
    at,
    result: 'refused',
    reason,
    field,
  })
  if (how.isSync && values['matricule'] === undefined)
    return refuse(
      '«\u00a0Matricule\u00a0» est vide\u202f: la synchronisation reconnaît chacun à son matricule.',
      'matricule',
    )
  const { agency, wallet_amount: _, ...others } = values
  const where = siteOf(agency, 'agency')
  if ('refused' in where) return { line, at, result: 'refused', ...where.refused }
  const id = await findReader(trx, values, exchange.sight)
  const before = id === null ? null : await findBeneficiaryInSight(trx, id, exchange)
  if (id !== null && before === null) return refuse('Ce lecteur est d’un autre site.', 'matricule')
  const sent = {
    ...others,
    // The file's site is for readers who are new.
    ...(agency === undefined && before !== null ? {} : { agency_id: where.site }),
  }
  if (before === null) {
    const body = v.safeParse(addCall.body, { firstname: '', ...sent })
    if (!body.success) return refuse(...faultOf(body.issues))
    const outcome = await attempt(trx, how.isDry, () =>
      addBeneficiary(trx, { body: body.output, params: undefined, query: undefined }, exchange),
    )
    if (!outcome.ok)
      return refuse(outcome.refusal.message, fieldOf(outcome.refusal.violations?.[0]?.propertyPath))
    return { line, at, result: 'added', name: nameOf(row), copies: 0 }
  }
  const facts = before as unknown as Record<string, unknown>
  const changed = Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) =>
        JSON.stringify(facts[field]) !== JSON.stringify(value) &&
        takesPlace(policyOf(how, field === 'agency_id' ? 'agency' : field), facts[field]),
    ),
  )
  if (Object.keys(changed).length === 0)
    return { line, at, result: 'unchanged', name: nameOf(row), copies: 0 }
  const body = v.safeParse(updateCall.body, changed)
  if (!body.success) return refuse(...faultOf(body.issues))
  const outcome = await attempt(trx, how.isDry, () =>
    updateBeneficiary(trx, { body: body.output, params: { id: before.id }, query: undefined }, exchange),
  )
  if (!outcome.ok)
    return refuse(outcome.refusal.message, fieldOf(outcome.refusal.violations?.[0]?.propertyPath))
  return {
    line,
    at,
    result: 'changed',
    name: nameOf(row),
    copies: 0,
    before: facts,
    after: { ...facts, ...changed },
  }
}

/** The reader of that number or card, else the only one of that name and year of birth. */
async function findReader(trx: Trx, values: ValueRow['values'], sight: Sight): Promise<number | null> {
  const { matricule, reader_id, lastname, firstname = '', birth_year = null } = values
  const where =
    matricule !== undefined
      ? sql`b.matricule = ${String(matricule)}`
      : reader_id !== undefined
        ? sql`b.reader_id = ${String(reader_id)}`
        : sql`search_text(b.lastname) = search_text(${String(lastname)})
            and search_text(b.firstname) = search_text(${String(firstname)})
            and b.birth_year is not distinct from ${birth_year}::int and ${readerOpen(sight)}`
  const { rows } = await sql<{ id: number }>`
    select b.id from beneficiaries b where b.deleted_at is null and ${where} order by b.id limit 1`.execute(
    trx,
  )
  return rows[0]?.id ?? null
}

type Issues = readonly { message: string; path?: readonly { key: unknown }[] | undefined }[]

/** The first fault, with the field's label before it. */
function faultOf(issues: Issues): [reason: string, field: string | null] {
  const [first] = issues
  const key = first?.path?.[0]?.key
  const field = typeof key === 'string' ? fieldOf(key) : null
  const label = importFieldsOf.readers.find(({ name }) => name === field)?.label
  return [label ? `«\u00a0${label}\u00a0» ${first?.message ?? ''}.` : (first?.message ?? ''), field]
}

const fieldOf = (path: string | undefined): string | null => (path === 'agency_id' ? 'agency' : path || null)
