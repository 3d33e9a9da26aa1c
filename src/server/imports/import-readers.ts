import { type RawBuilder, sql } from 'kysely'
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
import { asPart } from '../db/part-of-transaction.ts'
import type { Exchange } from '../http/exchange.ts'
import { readerOpen, type Sight } from '../sight/sight.ts'
import { attempt } from './attempt.ts'
import { findSites, type SiteOf } from './find-sites.ts'
import type { ValueRow } from './work-row.ts'
import { type How, policyOf, type RowOutcome, takesPlace } from './outcome-of-row.ts'
import { remember, seenBefore } from './seen-keys.ts'

/** Brings in readers, each by the product's own verb; one with a known number is the same reader. */
export async function importReaders(
  trx: Trx,
  rows: readonly ValueRow[],
  how: How,
  exchange: Exchange,
): Promise<RowOutcome[]> {
  const siteOf = await findSites(trx, how, exchange)
  const seen = await seenBefore(
    trx,
    how,
    rows.flatMap((row) => [...numbersOf(row), nameKeyOf(row)]),
  )
  const linesOf = (key: string) => (seen.get(key) ?? []) as ValueRow[]
  const touched = new Set<string>()
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    const numbers = numbersOf(row)
    const name = nameKeyOf(row)
    const earlier = inOrder((numbers.length > 0 ? numbers : [name]).flatMap(linesOf))
    const outcome = await (earlier.length === 0
      ? importReader(trx, row, { how, siteOf }, exchange)
      : importAfter(trx, earlier, row, { how, siteOf }, exchange))
    outcomes.push(outcome)
    if (!how.isDry || outcome.result === 'refused') continue
    const lines = inOrder([...earlier, row])
    for (const key of new Set(lines.flatMap(numbersOf))) {
      seen.set(key, lines)
      touched.add(key)
    }
    // By a name alone all who have it are compared.
    seen.set(name, inOrder([...linesOf(name), ...lines]))
    touched.add(name)
  }
  await remember(
    trx,
    how,
    [...touched].map((key) => ({ key, leaves: seen.get(key) })),
  )
  return outcomes
}

/** Of a dry run: a row after the earlier lines of the same reader, of all of which nothing is left. */
const importAfter = (
  trx: Trx,
  earlier: readonly ValueRow[],
  row: ValueRow,
  { how, siteOf }: Looking,
  exchange: Exchange,
): Promise<RowOutcome> => {
  const looking = { how: { ...how, isDry: false }, siteOf }
  return asPart(
    trx,
    async () => {
      for (const line of earlier) await importReader(trx, line, looking, exchange)
      return importReader(trx, row, looking, exchange)
    },
    () => false,
  )
}

const inOrder = (rows: readonly ValueRow[]): ValueRow[] =>
  [...new Map(rows.map((row) => [row.at, row])).values()].sort((one, other) => one.at - other.at)

const nameOf = ({ values }: ValueRow): string =>
  fullName({ firstname: String(values['firstname'] ?? ''), lastname: String(values['lastname']) })

/** A spreadsheet takes the zeros before a number away: « 777 » may be « 000777 ». */
const withoutZeros = (number: unknown): string => String(number).replace(/^0+(?=\d+$)/, '')

/** What tells a reader from all others. */
const numbersOf = ({ values: { matricule, reader_id } }: ValueRow): string[] => [
  ...(matricule === undefined ? [] : [`number:${withoutZeros(matricule)}`]),
  ...(reader_id === undefined ? [] : [`card:${withoutZeros(reader_id)}`]),
]

const nameKeyOf = ({ values: { lastname, firstname } }: ValueRow): string =>
  `name:${[lastname, firstname].map((part) => String(part ?? '')).join('|')}`
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()

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
  const { agency, ...others } = values
  const where = siteOf(agency, 'agency')
  if ('refused' in where) return { line, at, result: 'refused', ...where.refused }
  const found = await findReader(trx, values, how, exchange.sight)
  if (found === 'unsaid')
    return refuse(
      `Plusieurs lecteurs s’appellent ${nameOf(row)}\u202f: donnez le matricule ou la carte de celui-ci.`,
      'matricule',
    )
  const { id, homonym } = found
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
    const remarks =
      homonym === null
        ? []
        : [{ kind: 'homonym' as const, told: `${nameOf(row)}, à côté du matricule ${homonym}` }]
    return { line, at, result: 'added', name: nameOf(row), copies: 0, remarks }
  }
  const facts = before as unknown as Record<string, unknown>
  const isSame = (field: string, value: unknown) =>
    field === 'matricule' || field === 'reader_id'
      ? withoutZeros(facts[field]) === withoutZeros(value)
      : JSON.stringify(facts[field]) === JSON.stringify(value)
  const changed = Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) =>
        !isSame(field, value) &&
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

type Found = { id: number | null; homonym: string | null }

/**
 * The reader of that number or card; else the one of that name and year of birth whose mail and town do not say otherwise, and
 * `unsaid` where several may be meant. `homonym` is the number of one who is somebody else.
 */
async function findReader(
  trx: Trx,
  values: ValueRow['values'],
  { isSync }: How,
  sight: Sight,
): Promise<Found | 'unsaid'> {
  const { matricule, reader_id, lastname, firstname = '', birth_year = null } = values
  const isNamed = sql`search_text(b.lastname) = search_text(${String(lastname)})
    and search_text(b.firstname) = search_text(${String(firstname)})`
  const [column, number] =
    matricule === undefined ? [sql`b.reader_id`, reader_id] : [sql`b.matricule`, matricule]
  if (number !== undefined) {
    const written = String(number)
    // Zeros before a number may be lost, but only where the name is the same.
    const where = isSync
      ? sql`${column} = ${written}`
      : sql`${column} = any(${withAnyZeros(written)}::text[]) and (${column} = ${written} or (${isNamed}))`
    const { rows } = await sql<{ id: number }>`
      select b.id from beneficiaries b where b.deleted_at is null and ${where}
      order by ${column} = ${written} desc, b.id limit 1`.execute(trx)
    return { id: rows[0]?.id ?? null, homonym: null }
  }
  /** Whether what is known of somebody is what the row says; null where one of them says nothing. */
  const says = (column: RawBuilder<unknown>, value: ValueRow['values'][string] = '') =>
    sql`nullif(search_text(${column}::text), '') = nullif(search_text(${String(value)}), '')`
  const { rows: named } = await sql<{ id: number; matricule: string; differs: boolean; agrees: boolean }>`
    select b.id, b.matricule,
      b.birth_year is distinct from ${birth_year}::int
        or coalesce(not ${says(sql`b.email`, values['email'])}, false)
        or coalesce(not ${says(sql`b.commune`, values['commune'])}, false) as differs,
      coalesce(${says(sql`b.email`, values['email'])}, false)
        or coalesce(${says(sql`b.commune`, values['commune'])}, false) as agrees
    from beneficiaries b
    where b.deleted_at is null and ${isNamed} and ${readerOpen(sight)}
    order by b.id`.execute(trx)
  const alike = named.filter(({ differs }) => !differs)
  const sure = alike.filter(({ agrees }) => agrees)
  const may = sure.length > 0 ? sure : alike
  if (may.length > 1) return 'unsaid'
  return { id: may[0]?.id ?? null, homonym: named[0]?.matricule ?? null }
}

/** As many digits as library numbers have. */
const mostDigits = 14

function withAnyZeros(number: string): string[] {
  const bare = withoutZeros(number)
  if (!/^\d+$/.test(bare)) return [number]
  const most = Math.max(0, mostDigits - bare.length)
  return [number, ...Array.from({ length: most + 1 }, (_, zeros) => '0'.repeat(zeros) + bare)]
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
