import { type RawBuilder, sql } from 'kysely'

import { collection, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import type { Db } from '../db/handles.ts'
import { everyWord, type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import type { Ranking } from '../db/lists/ranking.ts'
import { everyId, type LongList, type LongOrder, readIds, type ReadInTurn } from '../db/lists/read-list.ts'
import {
  beneficiariesByName,
  categoriesByName,
  copiesByBarCode,
  copiesByReference,
  mediaByName,
  referencesBy,
  referencesByName,
} from '../library-facts/rankings.ts'
import { titlesMatching } from '../library-facts/title-search.ts'
import {
  areAllReadersOpen,
  visibleLoans,
  visibleLoanSites,
  readerOpen,
  returnedSince,
  type Visibility,
} from '../visibility/visibility.ts'
import { readLoans } from './loan-rows.ts'
import type { StoredLoan } from './serialize-loan.ts'

const talliedFields = ['status', 'start_date', 'site']

/** Adds up tallies instead of counting years of loans; by start date they also tell a page's first day. */
function tallied(
  db: Db,
  { filters, order }: ListQuery,
  columns: Record<string, FilterColumn>,
  visibility: Visibility,
): Pick<LongList, 'total' | 'landmark'> {
  if (!filters.every(({ field }) => talliedFields.includes(field))) return {}
  const total = async () => (await talliedTotal(filters, columns, visibility).execute(db)).rows[0]?.total ?? 0
  const [first, ...others] = order
  // Tallies count more than is in sight without the history.
  if (first?.field !== 'start_date' || others.length > 0 || visibility.returnsSince !== null) return { total }
  const tallies = sql`loan_tallies l where ${whereOf(visibleLoans(visibility), filters, columns)}`
  const landmark: LongList['landmark'] = async ({ isFromEnd, skipped }) => {
    const isRising = (first.direction === 'asc') !== isFromEnd
    const { rows } = await sql<{ day: string; before: number }>`
      select day, before from (
        select start_date as day,
          (sum(sum(loans)) over (order by start_date ${sql.raw(isRising ? 'asc' : 'desc')}) - sum(loans))::int8 as before
        from ${tallies} group by start_date) days
      where before <= ${skipped} order by before desc, day ${sql.raw(isRising ? 'desc' : 'asc')} limit 1`.execute(
      db,
    )
    const [row] = rows
    if (!row) return null
    return {
      onwards: isRising ? sql`l.start_date >= ${row.day}` : sql`l.start_date <= ${row.day}`,
      before: row.before,
    }
  }
  return { total, landmark }
}

/** Without the right to the history: open loans from the tallies, and today's returns counted. */
function talliedTotal(
  filters: readonly Filter[],
  columns: Record<string, FilterColumn>,
  visibility: Visibility,
): RawBuilder<{ total: number }> {
  if (visibility.returnsSince === null) {
    return sql`select coalesce(sum(l.loans), 0) as total from loan_tallies l
      where ${whereOf(visibleLoans(visibility), filters, columns)}`
  }
  const found = whereOf(visibleLoanSites(visibility), filters, columns)
  return sql`select (
      select coalesce(sum(l.loans), 0) from loan_tallies l where l.status = 'in_progress' and ${found}
    ) + (
      select count(*) from loanings l
      where l.deleted_at is null and ${returnedSince(visibility.returnsSince)} and ${found}
    ) as total`
}

// The tables that filters and orders look at, each after those it joins.
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
    join: sql`left join beneficiaries b on b.id = l.beneficiary`,
    for: ['benefsearchname', 'beneficiary_lastname'],
  },
]

function fromFor(terms: readonly { field: string }[]): RawBuilder<unknown> {
  const needed = joins.filter((one) => terms.some(({ field }) => one.for.includes(field)))
  return sql.join([sql`loanings l`, ...needed.map(({ join }) => join)], sql` `)
}

const filterColumns = (today: string): Record<string, FilterColumn> => ({
  id: { column: sql`l.id` },
  status: { column: sql`l.status` },
  // Late on a day: due before it and not returned, or returned too late (domain/loan-rules.ts).
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
  referencesearchname: { test: ({ value }) => titlesMatching(sql`r.search`, value) },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  copy: { column: sql`l.copy` },
  copy_barcode: { column: sql`c.bar_code` },
  site: { column: sql`l.site` },
})

const daysOf = (column: RawBuilder<unknown>) => sql`(${column} - date '2000-01-01')`
const ofCopy = (ranked: Ranking) => ({ of: sql`l.copy`, ranked })

const orderColumns: Record<string, LongOrder> = {
  id: { sorts: sql`l.id`, number: sql`l.id` },
  start_date: { sorts: sql`l.start_date`, number: daysOf(sql`l.start_date`) },
  end_date: { sorts: sql`l.end_date`, number: daysOf(sql`l.end_date`) },
  return_date: { sorts: { nullable: sql`l.return_date` }, number: daysOf(sql`l.return_date`) },
  // Sort names begin with the folded name: Émile stands between Dupont and Zola.
  beneficiary_lastname: {
    sorts: { nullable: sql`b.sort_name` },
    number: { of: sql`l.beneficiary`, ranked: beneficiariesByName },
  },
  reference_name: { sorts: sql`r.sort_name`, number: ofCopy(copiesByReference(referencesByName)) },
  copy_barcode: { sorts: sql`c.bar_code`, number: ofCopy(copiesByBarCode) },
  category: {
    sorts: { nullable: sql`cat.name` },
    number: ofCopy(copiesByReference(referencesBy('category', categoriesByName))),
  },
  medium: {
    sorts: { nullable: sql`m.name` },
    number: ofCopy(copiesByReference(referencesBy('medium', mediaByName))),
  },
  status: {
    sorts: sql`l.status`,
    number: sql`array_position(array['cancelled', 'finished', 'in_progress'], l.status)`,
  },
  amount: { sorts: sql`l.amount`, number: sql`(l.amount * 100)` },
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

/** Whether only loans in progress are asked for, which have indexes of their own. */
const isOpenOnly = (filters: readonly Filter[]): boolean =>
  filters.some(
    ({ field, operator, value }) =>
      field === 'status' &&
      ((operator === 'eq' && value === 'in_progress') ||
        (operator === 'in' && Array.isArray(value) && value.every((status) => status === 'in_progress'))),
  )

const withoutIndex: Record<string, LongOrder> = {
  id: { sorts: sql`(l.id + 0)`, number: sql`l.id` },
  start_date: { sorts: sql`(l.start_date + 0)`, number: daysOf(sql`l.start_date`) },
  end_date: { sorts: sql`(l.end_date + 0)`, number: daysOf(sql`l.end_date`) },
  return_date: { sorts: { nullable: sql`(l.return_date + 0)` }, number: daysOf(sql`l.return_date`) },
}

/** Unnamed readers come last, because their place would tell the name. */
const visibleByName = (visibility: Visibility): Record<string, LongOrder> => ({
  beneficiary_lastname: {
    sorts: { nullable: sql`case when ${readerOpen(visibility)} then b.sort_name end` },
    number: {
      of: sql`(select b.id from beneficiaries b where b.id = l.beneficiary and ${readerOpen(visibility)})`,
      ranked: beneficiariesByName,
    },
  },
})

/** Days picked by one date must not be walked by another's index; adding 0 to a date hides its index. */
function ordersFor({ filters }: ListQuery, visibility: Visibility): Record<string, LongOrder> {
  const orders = areAllReadersOpen(visibility)
    ? orderColumns
    : { ...orderColumns, ...visibleByName(visibility) }
  // Little is in sight without the history, so it is sorted: the index would walk through years.
  if (visibility.returnsSince !== null && !isOpenOnly(filters)) return { ...orders, ...withoutIndex }
  const narrow = Object.keys(dayColumns).find((field) => isNarrow(filters, field))
  if (narrow === undefined) return orders
  const hidden = Object.entries(dayColumns).filter(([field]) => field !== narrow)
  return {
    ...orders,
    ...Object.fromEntries(
      hidden.map(([field, column]) => [
        field,
        { sorts: { nullable: sql`(${column} + 0)` }, number: daysOf(column) },
      ]),
    ),
  }
}

/** Open loans by due day have an index, which the planner would leave for that of the start date. */
function filtersFor({ filters, order }: ListQuery, today: string): Record<string, FilterColumn> {
  const columns = filterColumns(today)
  const isOpen = filters.some(
    ({ field, operator, value }) => field === 'status' && operator === 'eq' && value === 'in_progress',
  )
  if (!isOpen || order[0]?.field !== 'end_date') return columns
  return { ...columns, start_date: { column: sql`(l.start_date + 0)` } }
}

type Asked = { visibility: Visibility; today: string }

/** A filter by person finds only readers in sight, because it would tell whose the unnamed loans are. */
const findsReader = ({ field }: Filter) => field === 'beneficiary' || field === 'benefsearchname'

function foundIn(
  filters: readonly Filter[],
  columns: Record<string, FilterColumn>,
  visibility: Visibility,
): RawBuilder<unknown> {
  const where = sql`l.deleted_at is null and ${whereOf(visibleLoans(visibility), filters, columns)}`
  if (!filters.some(findsReader) || areAllReadersOpen(visibility)) return where
  return sql`${where} and exists (select from beneficiaries b where b.id = l.beneficiary and ${readerOpen(visibility)})`
}

export async function listLoans(
  db: Db,
  list: ListQuery,
  { visibility, today }: Asked,
): Promise<Collection<StoredLoan>> {
  const { ids, total } = await readIds(db, list, {
    ...loansFound(list, { visibility, today }),
    ...tallied(db, list, filterColumns(today), visibility),
  })
  return collection(await readLoans(db, ids, today), total)
}

export async function* everyLoan(
  reads: ReadInTurn,
  list: ListQuery,
  { visibility, today }: Asked,
): AsyncGenerator<StoredLoan[]> {
  for await (const ids of everyId(reads, list, loansFound(list, { visibility, today }))) {
    yield await reads((db) => readLoans(db, ids, today))
  }
}

const loansFound = (list: ListQuery, { visibility, today }: Asked): LongList => ({
  table: sql`loanings`,
  id: sql`l.id`,
  from: (filters, order) => fromFor([...filters, ...order]),
  where: foundIn(list.filters, filtersFor(list, today), visibility),
  orders: ordersFor(list, visibility),
})
