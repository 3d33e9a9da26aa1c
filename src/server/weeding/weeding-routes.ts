import { type RawBuilder, sql } from 'kysely'

import { collection, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import * as call from '../../contract/weeding.ts'
import type { ExaminedCopy } from '../../contract/weeding.ts'
import { copiesMatching } from '../catalogue/copy-queries.ts'
import type { Db } from '../db/handles.ts'
import { type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import { type LongList, type LongOrder, readIds } from '../db/lists/read-list.ts'
import { change, file, longRead } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done } from '../http/outcome.ts'
import { copiesByBarCode, referencesByName } from '../library-facts/rankings.ts'
import { visibleCopies } from '../visibility/visibility.ts'
import { listCart } from './cart-queries.ts'
import { changeLine, putInCart, scanIntoCart, takeOut } from './change-cart.ts'
import { exportWeeding } from './export-weeding.ts'
import { isInStock, lastLoan, listWeedings, weedingFacts } from './weeding-facts.ts'
import { withdrawCart } from './withdraw-cart.ts'

type Scope = Pick<Exchange, 'visibility' | 'today' | 'parameters'>

/** Where nobody wrote when it was bought, it is as old as its record. */
const acquired = (timezone: string) =>
  sql`coalesce(c.buy_date, (c.created_at at time zone ${timezone})::date)`

const wasLent = (since: RawBuilder<unknown>) => sql`exists (
  select from loanings l where l.copy = c.id and l.deleted_at is null and l.status <> 'cancelled' and ${since})`

/** Lent by nobody for so many months, through which it was there. */
function idle({ value }: Filter, { today, parameters }: Scope): RawBuilder<unknown> {
  if (value === 'never') return sql`not ${wasLent(sql`true`)}`
  const since = sql`(${today}::date - make_interval(months => ${Number(value)}::int))::date`
  return sql`(${acquired(parameters.get('timezone'))} <= ${since} and c.status <> 'En Location' and not ${wasLent(sql`l.start_date > ${since}`)})`
}

/** Grouped once, because counting copy by copy asks the same of each. */
const moreThan = (most: number) => sql`(c.reference, c.site) in (
  select o.reference, o.site from copies o where o.deleted_at is null and o.withdrawn_on is null
  group by o.reference, o.site having count(*) > ${most}::int)`

const filterColumns = (scope: Scope): Record<string, FilterColumn> => ({
  id: { column: sql`c.id` },
  searchname: { test: ({ value }) => copiesMatching(value) },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  location: { column: sql`c.location` },
  site: { column: sql`c.site` },
  state: { column: sql`c.state` },
  buy_date: { column: sql`c.buy_date` },
  last_loan: { column: lastLoan },
  idle: { test: (filter) => idle(filter, scope) },
  more_than: { test: ({ value }) => moreThan(Number(value)) },
  in_cart: { test: ({ value }) => (value ? inCart : sql`not ${inCart}`) },
})

const inCart = sql<boolean>`exists (select from weeding_lines k where k.copy = c.id and k.weeding is null)`

/** What was never lent comes before all loans, and then the oldest first. */
const lastUse = (timezone: string) => sql`(coalesce(${lastLoan} - date '1900-01-01' + 1, 0)::bigint * 100000
  + greatest(0, ${acquired(timezone)} - date '1900-01-01'))`

const ordersIn = (timezone: string): Record<string, LongOrder> => ({
  last_loan: { sorts: lastUse(timezone), number: lastUse(timezone) },
  name: { sorts: sql`r.sort_name`, number: { of: sql`c.reference`, ranked: referencesByName } },
  bar_code: { sorts: sql`c.bar_code`, number: { of: sql`c.id`, ranked: copiesByBarCode } },
  buy_date: { sorts: { nullable: sql`c.buy_date` }, number: sql`(c.buy_date - date '2000-01-01')` },
  id: { sorts: sql`c.id`, number: sql`c.id` },
})

const ofReference = ['category', 'medium', 'name']

const found = (list: Pick<ListQuery, 'filters'>, scope: Scope): LongList => ({
  table: sql`copies`,
  id: sql`c.id`,
  from: (filters, order) =>
    [...filters, ...order].some(({ field }) => ofReference.includes(field))
      ? sql`copies c join "references" r on r.id = c.reference`
      : sql`copies c`,
  where: sql`${isInStock} and ${whereOf(visibleCopies(scope.visibility), list.filters, filterColumns(scope))}`,
  orders: ordersIn(scope.parameters.get('timezone')),
})

/** A page of the copies to be examined. */
async function listWeeding(db: Db, list: ListQuery, scope: Scope): Promise<Collection<ExaminedCopy>> {
  const { ids, total } = await readIds(db, list, found(list, scope))
  const facts = await weedingFacts(db, ids, scope.visibility)
  const { rows } = await sql<{ copy: number }>`
    select copy from weeding_lines where weeding is null and copy = any(${ids}::int[])`.execute(db)
  const chosen = new Set(rows.map(({ copy }) => copy))
  return collection(
    facts.map((one) => ({
      '@id': `/api/weeding/${one.id}`,
      '@type': 'WeedingCopy',
      ...one,
      in_cart: chosen.has(one.id),
    })),
    total,
  )
}

export const weedingRoutes = [
  longRead(call.listWeeding, async (db, { list }, exchange) => done(await listWeeding(db, list, exchange))),
  longRead(call.listCart, async (db, { list }, { visibility }) => done(await listCart(db, list, visibility))),
  change(call.putInCart, putInCart),
  change(call.scanIntoCart, scanIntoCart),
  change(call.changeLine, changeLine),
  change(call.takeOut, takeOut),
  change(call.withdrawCart, withdrawCart),
  longRead(call.weedings.list, async (db, { list }, { visibility }) =>
    done(await listWeedings(db, list, visibility)),
  ),
  file(call.exportWeeding, exportWeeding),
]
