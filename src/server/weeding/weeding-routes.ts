import { type RawBuilder, sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import { type Collection, collection, type Filter, type ListQuery } from '../../contract/list.ts'
import * as call from '../../contract/weeding.ts'
import type { ExaminedCopy } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { stopSentence, weedingName, type WeedingReason, type WeedingStop } from '../../domain/weeding.ts'
import { findAct } from '../acts/act-queries.ts'
import { copiesMatching } from '../catalogue/copy-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import { type LongList, type LongOrder, readIds, type ReadInTurn } from '../db/lists/read-list.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import { openAct } from '../http/act.ts'
import { change, file, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { startJob } from '../jobs/job.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import { copiesByBarCode, referencesByName } from '../library-facts/rankings.ts'
import { type Visibility, visibleCopies } from '../visibility/visibility.ts'
import { cart, isInCart, listCart } from './cart-queries.ts'
import { changeLine, putInCart, scanIntoCart, takeOut } from './change-cart.ts'
import { councilPages, everyWeeded, type WeededLine } from './council-pages.ts'
import { findWeeding, isInStock, lastLoan, listWeedings, stop, weedingFacts } from './weeding-facts.ts'

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

type Line = {
  id: number
  name: string
  site: number
  reason: WeedingReason | null
  stopped: WeedingStop | null
}

/** Takes out of the cart what can leave, which a job withdraws as one act. */
async function withdrawCart(
  trx: Trx,
  { body: { reason, copies } }: VerbInput<typeof call.withdrawCart>,
  exchange: Exchange,
): Promise<Outcome<Act>> {
  const { visibility, caller, today } = exchange
  const chosen = copies === undefined ? sql`true` : sql`c.id = any(${copies}::int[])`
  const { rows } = await sql<Line>`
    select k.id, r.name, c.site, k.reason, ${stop} as stopped from ${cart}
    where ${isInCart} and ${visibleCopies(visibility)} and ${chosen} order by k.id for update of k`.execute(
    trx,
  )
  const ready = rows.filter(({ stopped }) => stopped === null)
  if (ready.length === 0) return nothingToDo(rows)

  const sites = new Set(ready.map(({ site }) => site))
  const [only = null] = sites.size === 1 ? sites : []
  const name = weedingName(ready.map((line) => line.reason ?? reason))
  const { act } = await openAct(
    trx,
    { ...exchange, site: only },
    { kind: 'weeding.withdraw', name, isLasting: true },
  )
  const { id } = await trx
    .insertInto('weedings')
    .values({ reason, act, user_id: caller.user_id, withdrawn_on: today, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update weeding_lines set weeding = ${id} where id = any(${ready.map((one) => one.id)}::int[])`.execute(
    trx,
  )
  const facts = { id, name }
  await journal(
    trx,
    { ...exchange, act },
    {
      action: 'weeding.withdraw',
      entity: 'weeding',
      entity_id: id,
      before: { ...facts, is_withdrawn: false },
      after: { ...facts, is_withdrawn: true },
    },
  )
  await startJob(trx, exchange, {
    kind: 'weeding.withdraw',
    input: { weeding: id, act },
    total: ready.length,
  })
  return done((await findAct(trx, act, exchange))!)
}

function nothingToDo([first]: readonly Line[]): Outcome<Act> {
  return first?.stopped
    ? conflict('IN_USE', stopSentence(first.name, first.stopped))
    : conflict('GONE', 'Le panier est vide\u202f: ce qui y était a déjà été retiré ou ôté.')
}

/** The cart, or what was withdrawn: pages for the council, or a table. */
async function exportWeeding(
  reads: ReadInTurn,
  { query }: VerbInput<typeof call.exportWeeding>,
  { parameters, now, today, visibility }: Exchange,
): Promise<Outcome<ServedFile>> {
  const { weeding, reason = null, number = '', decided_on = null, export_type: type } = query
  const past = weeding === undefined ? null : await reads((db) => findWeeding(db, weeding, visibility))
  if (weeding !== undefined && !past) return notFound('Ce désherbage n’existe pas.')
  const site = parameters.flag('multisite') ? await reads((db) => sitesInWords(db, visibility)) : ''
  const library = [parameters.get('work_council'), site].filter(Boolean).join(' · ')
  const day = past?.withdrawn_on ?? today
  const rows = everyWeeded(reads, { weeding: past?.id ?? null, reason }, visibility)
  return done({
    name: fileName('desherbage', type, now, parameters.get('timezone')),
    type,
    bytes:
      type === 'pdf'
        ? councilPages({ library, day, isDone: past !== null, number, decided_on }, rows)
        : tableFile(
            { title: 'Désherbage', about: `${library}, le ${frenchDay(day)}`, columns, rows },
            type,
            await houseWording(reads),
          ),
  })
}

/** On paper, nothing else says whose books these are. */
async function sitesInWords(db: Db, { listed }: Visibility): Promise<string> {
  if (listed === null) return 'Tous les sites'
  const sites = await db
    .selectFrom('sites')
    .select('name')
    .where('id', 'in', listed)
    .orderBy('name')
    .execute()
  return sites.map(({ name }) => name).join(', ')
}

const columns: FileColumn<WeededLine>[] = [
  { title: 'N°', width: 6, kind: 'count', value: 'number' },
  { title: 'Auteur', width: 24, kind: 'text', value: 'author' },
  { title: 'Titre', width: 40, kind: 'text', value: 'name' },
  { title: 'Code-barres', width: 16, kind: 'text', value: 'bar_code' },
  { title: 'Cote', width: 14, kind: 'text', value: 'call_number' },
  { title: 'Catégorie', width: 18, kind: 'text', value: ({ category }) => category?.name ?? null },
  { title: 'Support', width: 14, kind: 'text', value: ({ medium }) => medium?.name ?? null },
  { title: 'Site', width: 18, kind: 'text', value: 'site_name' },
  { title: 'Emplacement', width: 18, kind: 'text', value: 'location_label' },
  { title: 'État', width: 14, kind: 'text', value: 'state_name' },
  { title: 'Acquis le', width: 12, kind: 'day', value: 'buy_date' },
  { title: 'Prêts', width: 8, kind: 'count', value: 'loans' },
  { title: 'Dernier prêt', width: 12, kind: 'day', value: 'last_loan' },
  { title: 'Constat', width: 30, kind: 'text', value: 'why' },
  { title: 'Destination', width: 18, kind: 'text', value: 'destination' },
  { title: 'Valeur', width: 10, kind: 'money', value: ({ price }) => (isKnown(price) ? price : null) },
]

/** A price of nothing is one that nobody wrote. */
const isKnown = (price: string): boolean => Number(price) > 0

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
