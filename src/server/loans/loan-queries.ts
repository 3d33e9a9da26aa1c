import { type RawBuilder, sql } from 'kysely'

import type { Collection, Filter, ListQuery } from '../../contract/list.ts'
import type { Loan } from '../../contract/loans.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import { isLate } from '../../domain/loan-rules.ts'
import { sumOfMoney } from '../../domain/money.ts'
import type { Db, Trx } from '../db/environment.ts'
import { atSites, everyWord, type FilterColumn, type OrderColumn, pageOf, whereOf } from '../db/list-sql.ts'

type LoanRow = Omit<
  Loan,
  | '@id'
  | '@type'
  | 'expected_return_date'
  | 'islate'
  | 'penalty'
  | 'relative'
  | 'free_reason'
  | 'delay_reason'
> & {
  relative_id: number | null
  relative_name: string | null
  free_reason_id: number | null
  free_reason_name: string | null
  delay_reason_id: number | null
  delay_reason_name: string | null
}

// The few words that other tables lend are looked up row by row: joined, a dozen tables cost the planner more time than the rows take.
const columns = sql`
  l.id, l.beneficiary, b.matricule || ' - ' || b.lastname || ' ' || b.firstname as beneficiary_info,
  l.relative as relative_id, (select rel.lastname || ' ' || rel.firstname from relatives rel where rel.id = l.relative) as relative_name,
  l.copy, c.bar_code as copy_barcode, c.state as copy_state, c.reference, r.name as reference_name,
  (select cat.name from categories cat where cat.id = r.category) as category,
  (select m.name from media m where m.id = r.medium) as medium,
  l.site, l.start_date, l.end_date, l.return_date, l.duration_value, l.duration_type, l.amount, l.free,
  l.free_reason as free_reason_id, (select fr.name from reasons fr where fr.id = l.free_reason) as free_reason_name,
  l.comment, l.return_comment, l.state,
  l.delay_reason as delay_reason_id, (select dr.name from reasons dr where dr.id = l.delay_reason) as delay_reason_name,
  l.delay_comment, l.penalty_count, l.penalty_duration, l.penalty_amount,
  l.status, l.override_reason, l.end_date_flagged,
  l.lent_at, (select lender.username::text from users lender where lender.id = l.lent_by) as lent_by,
  l.returned_at, (select receiver.username::text from users receiver where receiver.id = l.returned_by) as returned_by`

const dressedFrom = sql`
  loanings l
  join copies c on c.id = l.copy
  join "references" r on r.id = c.reference
  join beneficiaries b on b.id = l.beneficiary`

// What filters and orders look at beyond the loan, in the order in which one join needs another.
const joins = [
  {
    join: sql`join copies c on c.id = l.copy`,
    for: ['copy_barcode', 'reference', 'referencesearchname', 'reference_name', 'category', 'medium'],
  },
  {
    join: sql`join "references" r on r.id = c.reference`,
    for: ['referencesearchname', 'reference_name', 'category', 'medium'],
  },
  { join: sql`left join categories cat on cat.id = r.category`, for: ['category'] },
  { join: sql`left join media m on m.id = r.medium`, for: ['medium'] },
  {
    join: sql`join beneficiaries b on b.id = l.beneficiary`,
    for: ['benefsearchname', 'beneficiary_lastname'],
  },
]

/** Finding, counting and sorting join what they look at and no more: over years of loans, each join shows. */
function fromFor(terms: readonly { field: string }[]): RawBuilder<unknown> {
  const needed = joins.filter((one) => terms.some(({ field }) => one.for.includes(field)))
  return sql.join([sql`loanings l`, ...needed.map(({ join }) => join)], sql` `)
}

const filterColumns = (today: string): Record<string, FilterColumn> => ({
  id: { column: sql`l.id` },
  status: { column: sql`l.status` },
  // Late on a day: not returned and expected before it, or returned after the expected return (domain/loan-rules.ts).
  islate: {
    test: ({ value }) => {
      const late = sql`l.status <> 'cancelled' and coalesce(l.return_date, ${today}::date) > l.end_date`
      return value ? sql`(${late})` : sql`not (${late})`
    },
  },
  start_date: { column: sql`l.start_date` },
  end_date: { column: sql`l.end_date` },
  return_date: { column: sql`l.return_date` },
  beneficiary: { column: sql`l.beneficiary` },
  benefsearchname: { test: ({ value }) => everyWord(sql`b.search`, value) },
  reference: { column: sql`c.reference` },
  referencesearchname: { test: ({ value }) => everyWord(sql`r.search`, value) },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  copy: { column: sql`l.copy` },
  copy_barcode: { column: sql`c.bar_code` },
  site: { column: sql`l.site` },
})

const orderColumns: Record<string, OrderColumn> = {
  id: sql`l.id`,
  start_date: sql`l.start_date`,
  end_date: sql`l.end_date`,
  return_date: { nullable: sql`l.return_date` },
  // Both begin with the folded name: Émile stands between Dupont and Zola.
  beneficiary_lastname: sql`b.search`,
  reference_name: sql`r.search`,
  copy_barcode: sql`c.bar_code`,
  category: { nullable: sql`cat.name` },
  medium: { nullable: sql`m.name` },
  status: sql`l.status`,
  amount: sql`l.amount`,
}

const dayColumns: Record<string, RawBuilder<unknown>> = {
  start_date: sql`l.start_date`,
  end_date: sql`l.end_date`,
  return_date: sql`l.return_date`,
}
const narrowDays = 100

/** Whether loans are asked for from one day to another not far from it. */
function isNarrow(filters: readonly Filter[], field: string): boolean {
  const bound = (...wanted: Filter['operator'][]) =>
    filters.find((filter) => filter.field === field && wanted.includes(filter.operator))?.value
  const [from, until] = [bound('gte', 'eq'), bound('lte', 'eq')]
  return typeof from === 'string' && typeof until === 'string' && daysBetween(from, until) <= narrowDays
}

/**
 * Days sort through their index, but for those of a season picked by another date: the planner does not know that such dates go together,
 * and would walk through years of loans to fill a page. Adding nothing to a date hides its index.
 */
function ordersFor({ filters }: ListQuery): Record<string, OrderColumn> {
  const narrow = Object.keys(dayColumns).find((field) => isNarrow(filters, field))
  if (narrow === undefined) return orderColumns
  const hidden = Object.entries(dayColumns).filter(([field]) => field !== narrow)
  return {
    ...orderColumns,
    ...Object.fromEntries(hidden.map(([field, column]) => [field, { nullable: sql`(${column} + 0)` }])),
  }
}

/**
 * Open loans by the day they are due walk through their own index: nobody has more of them than copies. The planner takes recent days for
 * as rare among open loans as among all, would gather every one of them, and sort. Adding nothing to a date hides its index, here too.
 */
function filtersFor({ filters, order }: ListQuery, today: string): Record<string, FilterColumn> {
  const columns = filterColumns(today)
  const isOpen = filters.some(
    ({ field, operator, value }) => field === 'status' && operator === 'eq' && value === 'in_progress',
  )
  if (!isOpen || order[0]?.field !== 'end_date') return columns
  return { ...columns, start_date: { column: sql`(l.start_date + 0)` } }
}

/** One page of the loans of some sites (null: every site). */
export async function listLoans(
  db: Db,
  list: ListQuery,
  sites: readonly number[] | null,
  today: string,
): Promise<Collection<Loan>> {
  const where = sql`l.deleted_at is null
    and ${atSites(sql`l.site`, sites)}
    and ${whereOf(list.filters, filtersFor(list, today))}`
  const [page, total] = await Promise.all([
    sql<{ id: number }>`
      select l.id from ${fromFor([...list.filters, ...list.order])} where ${where} ${pageOf(list, ordersFor(list), sql`l.id`)}`.execute(
      db,
    ),
    countLoans(db, list.filters, where, sites, today),
  ])
  const ids = page.rows.map(({ id }) => id)
  return { 'hydra:member': await readLoans(db, ids, today), 'hydra:totalItems': total }
}

const talliedFields = ['status', 'start_date', 'site']

/** Where filters ask for no more than the tallies know, days are added up instead of loans counted: years of loans cost no more than one. */
async function countLoans(
  db: Db,
  filters: readonly Filter[],
  where: RawBuilder<unknown>,
  sites: readonly number[] | null,
  today: string,
): Promise<number> {
  const counted = filters.every(({ field }) => talliedFields.includes(field))
    ? sql<{ total: number }>`select coalesce(sum(l.loans), 0) as total from loan_tallies l
        where ${atSites(sql`l.site`, sites)} and ${whereOf(filters, filterColumns(today))}`
    : sql<{ total: number }>`select count(*) as total from ${fromFor(filters)} where ${where}`
  const { rows } = await counted.execute(db)
  return rows[0]?.total ?? 0
}

/** The loans that are not deleted among these, in the order of their ids. */
async function readLoans(db: Db | Trx, ids: number[], today: string): Promise<Loan[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LoanRow>`
    select ${columns} from ${dressedFrom} where l.id = any(${ids}::int[]) and l.deleted_at is null
    order by array_position(${ids}::int[], l.id)`.execute(db)
  return rows.map((row) => loanOf(row, today))
}

/** A loan that is not deleted, or null. */
export async function findLoan(db: Db | Trx, id: number, today: string): Promise<Loan | null> {
  const [loan] = await readLoans(db, [id], today)
  return loan ?? null
}

export async function getLoan(db: Db | Trx, id: number, today: string): Promise<Loan> {
  const loan = await findLoan(db, id, today)
  if (!loan) throw new Error(`loan ${id} is gone`)
  return loan
}

function loanOf(row: LoanRow, today: string): Loan {
  const {
    relative_id,
    relative_name,
    free_reason_id,
    free_reason_name,
    delay_reason_id,
    delay_reason_name,
    ...rest
  } = row
  return {
    '@id': `/api/loanings/${row.id}`,
    '@type': 'Loaning',
    ...rest,
    relative: relative_id === null ? null : { id: relative_id, name: relative_name ?? '' },
    free_reason: free_reason_id === null ? null : { id: free_reason_id, name: free_reason_name ?? '' },
    delay_reason: delay_reason_id === null ? null : { id: delay_reason_id, name: delay_reason_name ?? '' },
    expected_return_date: row.end_date,
    islate: row.status !== 'cancelled' && isLate(row, today),
    penalty: row.penalty_amount === null ? null : { total: sumOfMoney([row.penalty_amount]) },
  }
}
