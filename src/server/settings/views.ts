import { sql } from 'kysely'
import * as v from 'valibot'

import { fits } from '../../contract/filter-values.ts'
import {
  collection,
  type Collection,
  filterFieldOf,
  type ListShape,
  type Operator,
} from '../../contract/list.ts'
import * as call from '../../contract/views.ts'
import type { Db, Trx } from '../db/handles.ts'
import { accountName } from '../library-facts/person-names.ts'
import { takenField } from '../http/bind-resource.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { visibleViews } from '../visibility/visibility.ts'

/** Who sets the library up also looks after shared views. */
const looksAfterShared = 'PARAMETER_GENERAL'

const missing = 'Cette vue n’existe pas.'
const taken = { name: 'Une vue de cette liste porte déjà ce nom.' }
const tooMany = `Vous avez déjà ${call.mostViews} vues sur cette liste\u202f: supprimez-en une pour en ajouter une autre.`

type Row = Pick<call.View, 'id' | 'name' | 'shared' | 'owner' | 'date_update'> & {
  list: string
  user_id: number
  content: unknown
}

const mayList = ({ rights }: Exchange['caller'], list: string): list is call.ViewedList =>
  Object.hasOwn(call.viewedLists, list) &&
  rights.has(call.viewedLists[list as call.ViewedList].endpoint.access)

const kept = v.object({
  filters: v.fallback(v.record(v.string(), v.string()), {}),
  order: v.fallback(
    v.nullable(v.object({ field: v.string(), direction: v.picklist(['asc', 'desc']) })),
    null,
  ),
  hidden_columns: v.fallback(v.array(v.string()), []),
})

const isKnownFilter = (shape: ListShape, name: string, value: string): boolean => {
  const [field = '', operator = ''] = name.split('|')
  const filter = filterFieldOf(shape, field)
  return (
    filter !== undefined &&
    name === `${field}|${operator}` &&
    (filter.operators as readonly string[]).includes(operator) &&
    fits(filter, operator as Operator, value)
  )
}

const isKnownColumn = (list: call.ViewedList, column: string): boolean =>
  (call.viewedLists[list].columns as readonly string[]).includes(column)

/** What its list still knows, which may have lost a filter or a value since. */
function knownContent(list: call.ViewedList, content: unknown): call.ViewContent {
  const shape: ListShape = call.viewedLists[list].endpoint.list
  const { filters, order, hidden_columns } = v.parse(kept, content)
  return {
    filters: Object.fromEntries(
      Object.entries(filters).filter(([name, value]) => isKnownFilter(shape, name, value)),
    ),
    order: order && shape.orders.includes(order.field) ? order : null,
    hidden_columns: hidden_columns.filter((column) => isKnownColumn(list, column)),
  }
}

/** What is written must be known, unlike what is read. */
function unknownIn(list: call.ViewedList, { filters, order, hidden_columns }: call.ViewContent) {
  const shape: ListShape = call.viewedLists[list].endpoint.list
  const unknown = Object.entries(filters).find(([name, value]) => !isKnownFilter(shape, name, value))
  if (unknown) {
    return violation(
      'content',
      `Cette liste ne connaît pas le filtre «\u00a0${unknown[0]}\u00a0» ou sa valeur.`,
    )
  }
  if (order && !shape.orders.includes(order.field)) {
    return violation('content', `Le tri par «\u00a0${order.field}\u00a0» n’est pas connu.`)
  }
  const column = hidden_columns.find((one) => !isKnownColumn(list, one))
  return column === undefined
    ? null
    : violation('content', `Cette liste n’a pas de colonne «\u00a0${column}\u00a0» à cacher.`)
}

const mayShare = ({ caller }: Exchange, list: call.ViewedList): boolean =>
  caller.rights.has(call.viewedLists[list].sharedBy)

/** Of two changes of a person's views, the second sees the first. */
const lockOwner = (trx: Trx, user_id: number) =>
  trx
    .selectFrom('users')
    .select(accountName('users').as('name'))
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Whether the owner has another view of that name; only they may know of private ones. */
async function isTaken(
  trx: Trx,
  { list, name, user_id, id = 0 }: Pick<Row, 'list' | 'name' | 'user_id'> & { id?: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from views where user_id = ${user_id} and list = ${list} and id <> ${id}
      and search_text(name) = search_text(${name})`.execute(trx)
  return rows.length > 0
}

const isOwn = (row: Row, { caller }: Exchange): boolean => row.user_id === caller.user_id
const mayChange = (row: Row, exchange: Exchange): boolean =>
  isOwn(row, exchange) || (row.shared && exchange.caller.rights.has(looksAfterShared))

const viewOf = (row: Row, list: call.ViewedList, exchange: Exchange): call.View => {
  const { id, name, shared, owner, date_update } = row
  return {
    '@id': `/api/views/${id}`,
    '@type': 'View',
    id,
    list,
    name,
    shared,
    owner,
    mine: isOwn(row, exchange),
    may_change: mayChange(row, exchange),
    content: knownContent(list, row.content),
    date_update,
  }
}

const columns = sql`w.id, w.list, w.user_id, w.name, w.shared, w.content, w.date_update, ${accountName('u')} as owner`

async function listViews(
  db: Db,
  { query: { list } }: VerbInput<typeof call.listViews>,
  exchange: Exchange,
): Promise<Outcome<Collection<call.View>>> {
  const { caller } = exchange
  if (!mayList(caller, list)) return forbidden()
  const { rows } = await sql<Row>`
    select ${columns} from views w join users u on u.id = w.user_id
    where ${visibleViews(caller.user_id)} and w.list = ${list}
    order by w.user_id <> ${caller.user_id}, case when w.user_id = ${caller.user_id} then w.id end, search_text(w.name), w.id`.execute(
    db,
  )
  return done(
    collection(
      rows.map((row) => viewOf(row, list, exchange)),
      rows.length,
    ),
  )
}

async function lockView(trx: Trx, id: number, { caller }: Exchange) {
  const { rows } = await sql<Row>`
    select ${columns} from views w join users u on u.id = w.user_id
    where ${visibleViews(caller.user_id)} and w.id = ${id} for update of w`.execute(trx)
  const [row] = rows
  return row && mayList(caller, row.list) ? { row, list: row.list } : null
}

/** A view's content may name a reader, so the journal keeps only these. */
const facts = ({ list, name, shared }: Pick<Row, 'list' | 'name' | 'shared'>) => ({ list, name, shared })

async function addView(
  trx: Trx,
  { body }: VerbInput<typeof call.addView>,
  exchange: Exchange,
): Promise<Outcome<call.View>> {
  const { caller, now } = exchange
  const { list, name, shared, content } = body
  if (!mayList(caller, list)) return forbidden()
  if (shared && !mayShare(exchange, list)) return forbidden()
  const unknown = unknownIn(list, content)
  if (unknown) return unknown
  const owner = await lockOwner(trx, caller.user_id)
  const { count } = await trx
    .selectFrom('views')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', caller.user_id)
    .where('list', '=', list)
    .executeTakeFirstOrThrow()
  if (count >= call.mostViews) return conflict('TOO_MANY_VIEWS', tooMany)
  if (await isTaken(trx, { list, name, user_id: caller.user_id })) return violation('name', taken.name)
  const row = await trx
    .insertInto('views')
    .values({
      list,
      user_id: caller.user_id,
      name,
      shared,
      content: JSON.stringify(content),
      date_update: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await journal(trx, exchange, {
    action: call.addView.name,
    entity: 'views',
    entity_id: row.id,
    after: facts(row),
  })
  return done(viewOf({ ...row, owner: owner.name }, list, exchange))
}

async function changeView(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof call.changeView>,
  exchange: Exchange,
): Promise<Outcome<call.View>> {
  await lockOwner(trx, exchange.caller.user_id)
  const found = await lockView(trx, id, exchange)
  if (!found) return notFound(missing)
  const { row, list } = found
  // Made private by somebody else, it would vanish for everybody but its owner.
  const hidesIt = body.shared === false && !isOwn(row, exchange)
  const sharesIt = body.shared === true && !row.shared
  if (!mayChange(row, exchange) || hidesIt || (sharesIt && !mayShare(exchange, list))) return forbidden()
  const unknown = body.content && unknownIn(list, body.content)
  if (unknown) return unknown
  const { name = row.name, shared = row.shared, content } = body
  const date_update = exchange.now.toISOString()
  if (body.name !== undefined && isOwn(row, exchange) && (await isTaken(trx, { ...row, name }))) {
    return violation('name', taken.name)
  }
  await trx
    .updateTable('views')
    .set({ name, shared, date_update, ...(content ? { content: JSON.stringify(content) } : {}) })
    .where('id', '=', id)
    .execute()
  const after = { ...row, name, shared, date_update, ...(content ? { content } : {}) }
  await journal(trx, exchange, {
    action: call.changeView.name,
    entity: 'views',
    entity_id: id,
    before: facts(row),
    after: facts(after),
  })
  return done(viewOf(after, list, exchange))
}

async function removeView(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.removeView>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const found = await lockView(trx, id, exchange)
  if (!found) return notFound(missing)
  const { row } = found
  if (!mayChange(row, exchange)) return forbidden()
  await trx.deleteFrom('views').where('id', '=', id).execute()
  await journal(trx, exchange, {
    action: call.removeView.name,
    entity: 'views',
    entity_id: id,
    before: facts(row),
    after: null,
  })
  return done(null)
}

const orTaken = async (work: Promise<Outcome<call.View>>): Promise<Outcome<call.View>> =>
  work.catch((error: unknown) => takenField(error, 'views', taken))

export const viewRoutes = [
  read(call.listViews, listViews),
  change(call.addView, (...given) => orTaken(addView(...given))),
  change(call.changeView, (...given) => orTaken(changeView(...given))),
  change(call.removeView, removeView),
]
