import { sql } from 'kysely'

import * as call from '../../contract/acts.ts'
import type { ActRow, listActRows as listActRowsCall } from '../../contract/acts.ts'
import { type Collection, collection } from '../../contract/list.ts'
import { wordsOfAct } from '../../domain/act-kinds.ts'
import { erasedName } from '../../domain/erasing.ts'
import {
  findAct,
  isOfTouched,
  isRemoval,
  isUndone,
  lastLines,
  noSuchAct,
  readActs,
  touchedColumns,
  type TouchedRow,
} from '../acts/act-queries.ts'
import { type Facts, isAsLeft } from '../acts/undoable.ts'
import type { Db } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import { change, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { changesInWords } from '../journal/changes-in-words.ts'
import { mayNameBorrowers, visibleTouched } from '../visibility/visibility.ts'
import { undoAct } from './undo-act.ts'
import { isUndoable, undoables, wordsOfEntity } from './undoables.ts'

type Row = TouchedRow & { undone: boolean; kept: string | null }

/** What an act touched, as it left it, with what has become of it since. */
async function listActRows(
  db: Db,
  { params: { id }, list }: VerbInput<typeof listActRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<ActRow>>> {
  if (!(await findAct(db, id, exchange))) return notFound(noSuchAct)
  const undone = list.filters.find(({ field }) => field === 'undone')
  const seen = sql`${lastLines(id)} and ${isOfTouched} and ${visibleTouched(exchange.visibility)}`
  const where = undone ? sql`${seen} and ${isUndone(id)} = ${undone.value}::boolean` : seen
  const counted = await sql<{ total: number }>`select count(*) as total from ${where}`.execute(db)
  const { rows } = await sql<Row>`
    select ${touchedColumns}, ${isUndone(id)} as undone, (
      select k.reason from acts_kept k join acts undoing on undoing.id = k.undo
      where undoing.undoes = ${id} and k.line = j.id order by k.undo desc limit 1) as kept
    from ${where}
    order by j.id ${sql.raw(list.order[0]?.direction === 'desc' ? 'desc' : 'asc')}
    limit ${list.limit} offset ${(list.page - 1) * list.limit}`.execute(db)
  const now = await readNow(db, rows, exchange)
  return done(
    collection(
      rows.map((row) => tellRow(row, now.get(`${row.entity} ${row.entity_id}`), exchange)),
      counted.rows[0]?.total ?? 0,
    ),
  )
}

/** What these records are now, by entity and id. */
async function readNow(db: Db, rows: readonly Row[], exchange: Exchange): Promise<Map<string, Facts>> {
  const found = new Map<string, Facts>()
  for (const entity of new Set(rows.map((row) => row.entity))) {
    if (!isUndoable(entity)) continue
    const ids = rows.filter((row) => row.entity === entity).map(({ entity_id }) => entity_id)
    const facts = await db.transaction().execute((trx) => undoables[entity].read(trx, ids, exchange))
    for (const [id, fact] of facts) found.set(`${entity} ${id}`, fact)
  }
  return found
}

function tellRow(row: Row, now: Facts | undefined, exchange: Exchange): ActRow {
  const { caller } = exchange
  const { id, entity, entity_id, action, before, after, undone, kept } = row
  const words = wordsOfEntity(entity)
  const inWords = (from: Facts | null, to: Facts | null) =>
    words
      ? changesInWords(words.fields, { before: from, after: to, rights: caller.rights, names: new Map() })
      : []
  const left = isRemoval(action) ? null : after
  const state = undone ? 'undone' : isLeft(entity, left, now) ? 'left' : 'changed'
  const known = left ?? before ?? now
  const isForgotten = entity === 'beneficiaries' && known === undefined
  const named = { ...now, ...known }
  // Whoever counts the shelves may not be shown who borrows.
  if (!mayNameBorrowers(exchange.visibility)) delete named['beneficiary_name']
  return {
    id,
    entity,
    entity_id,
    name: isUndoable(entity) && known ? undoables[entity].nameOf(named) : isForgotten ? erasedName : '',
    action: words?.actions[action] ?? (isRemoval(action) ? 'Suppression' : 'Modification'),
    changes: inWords(before, left),
    state,
    since: state === 'changed' ? inWords(toldIn(left, now), now ?? null) : [],
    kept: state === 'undone' ? null : kept,
  }
}

/** Only what is told now is compared, so that what the act did not tell is no change. */
const toldIn = (left: Facts | null, now: Facts | undefined): Facts | null =>
  left && now ? { ...now, ...left } : left

function isLeft(entity: string, left: Facts | null, now: Facts | undefined): boolean {
  if (left === null || now === undefined) return left === null && now === undefined
  return isUndoable(entity) && isAsLeft(undoables[entity], now, left)
}

export const actRoutes = [
  longRead(call.acts.list, async (db, { list }, exchange) => done(await readActs(db, list, exchange))),
  read(call.getAct, async (db, { params: { id } }, exchange) => {
    const act = await findAct(db, id, exchange)
    return act ? done(act) : notFound(noSuchAct)
  }),
  longRead(call.listActRows, listActRows),
  change(call.beginAct, async (trx, { body }, exchange) => {
    if (!wordsOfAct(body.kind).rights.some((right) => exchange.caller.rights.has(right))) return forbidden()
    const { act } = await openAct(trx, exchange, body)
    return done((await findAct(trx, act, exchange))!)
  }),
  change(call.undoAct, undoAct),
]
