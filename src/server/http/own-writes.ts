import { sql } from 'kysely'

import type { ItemOf, Resource, switchable } from '../../contract/resource.ts'
import type { Trx } from '../db/handles.ts'
import type { Source } from '../db/lists/source.ts'
import { missingOf, takenField } from './bind-resource.ts'
import { type Binding, change, read, type VerbInput } from './binding.ts'
import type { Exchange } from './exchange.ts'
import { journal } from './journal.ts'
import { done, notFound, type Outcome, type Refused } from './outcome.ts'

type Switched = ReturnType<typeof switchable<Resource>>
type Refusing = Promise<Refused | null>
type Body<R extends Switched> = VerbInput<R['add']>['body']
type Fields<R extends Switched> = VerbInput<R['change']>['body']

/** How a list is written of which an item is more than the columns of its row. */
type Ways<R extends Switched> = {
  /** By field, for a value that another item has; the unique index is named `table_field`. */
  taken: Record<string, string>
  /** Refuses what may not be written; `before` is null for a new item. */
  mayWrite?: (trx: Trx, before: ItemOf<R> | null, fields: Fields<R>) => Refusing
  /** Makes the row of a new item, to which all that was given is then written. */
  begin: (trx: Trx, body: Body<R>) => Promise<{ id: number }>
  write: (trx: Trx, before: ItemOf<R>, fields: Fields<R> & { enabled?: boolean | undefined }) => Refusing
  /** Why an item stays; what goes with it goes here. */
  mayGo: (trx: Trx, before: ItemOf<R>, deleted_at: string) => Refusing
}

type Change<R extends Switched> = { id: number; before: ItemOf<R> | null; action: string }
type Toggled = { params: { id: number } }

type OwnWrites<R extends Switched> = {
  missing: string
  /** An item as it stands, which nobody else changes until the end of the transaction. */
  lock: (trx: Trx, id: number) => Promise<ItemOf<R> | null>
  /** Stamps and journals what changed; answers the item as it now stands. */
  settle: (trx: Trx, exchange: Exchange, of: Change<R>) => Promise<Outcome<ItemOf<R>>>
  add: (trx: Trx, body: Body<R>, exchange: Exchange) => Promise<Outcome<ItemOf<R>>>
  toggle: (trx: Trx, input: Toggled, exchange: Exchange) => Promise<Outcome<ItemOf<R>>>
  bindings: Binding[]
}

/** Serves a list that is written in a way of its own; the journal tells its items as they are shown. */
export function ownWrites<R extends Switched>(of: R, rows: Source<R>, ways: Ways<R>): OwnWrites<R>
export function ownWrites(of: Switched, rows: Source<Switched>, ways: Ways<Switched>): OwnWrites<Switched> {
  const { name: entity } = of
  const { taken, mayWrite = () => Promise.resolve(null), begin, write, mayGo } = ways
  const table = sql.table(entity)
  const missing = missingOf(of)
  type Own = OwnWrites<Switched>

  const lock: Own['lock'] = async (trx, id) => {
    await sql`select from ${table} where id = ${id} and deleted_at is null for update`.execute(trx)
    return rows.find(trx, id)
  }
  const found = async (trx: Trx, id: number) => {
    const item = await rows.find(trx, id)
    if (!item) throw new Error(`one of ${entity} has gone under lock`)
    return item
  }
  const settle: Own['settle'] = async (trx, exchange, { id, before, action }) => {
    const after = await found(trx, id)
    if (JSON.stringify(before) === JSON.stringify(after)) return done(after)
    const date_update = exchange.now.toISOString()
    await sql`update ${table} set date_update = ${date_update} where id = ${id}`.execute(trx)
    const stamped = { ...after, date_update }
    await journal(trx, exchange, { action, entity, entity_id: id, before, after: stamped })
    return done(stamped)
  }
  const untaken = (work: () => ReturnType<Own['toggle']>) =>
    work().catch((error: unknown) => takenField(error, entity, taken))
  const add: Own['add'] = async (trx, body, exchange) => {
    const refused = await mayWrite(trx, null, body)
    if (refused) return refused
    return untaken(async () => {
      const { id } = await begin(trx, body)
      const unwritten = await write(trx, await found(trx, id), body)
      return unwritten ?? settle(trx, exchange, { id, before: null, action: of.add.name })
    })
  }
  const toggle: Own['toggle'] = async (trx, { params: { id } }, exchange) => {
    const before = await lock(trx, id)
    if (!before) return notFound(missing)
    const refused = await write(trx, before, { enabled: !before['enabled'] })
    return refused ?? settle(trx, exchange, { id, before, action: of.toggle.name })
  }

  const bindings = [
    read(of.list, async (db, { list }) => done(await rows.list(db, list))),
    change(of.add, (trx, { body }, exchange) => add(trx, body, exchange)),
    change(of.change, async (trx, { params: { id }, body }, exchange) => {
      const before = await lock(trx, id)
      if (!before) return notFound(missing)
      const refused = await mayWrite(trx, before, body)
      if (refused) return refused
      return untaken(async () => {
        const unwritten = await write(trx, before, body)
        return unwritten ?? settle(trx, exchange, { id, before, action: of.change.name })
      })
    }),
    change(of.remove, async (trx, { params: { id } }, exchange) => {
      const before = await lock(trx, id)
      if (!before) return notFound(missing)
      const deleted_at = exchange.now.toISOString()
      const refused = await mayGo(trx, before, deleted_at)
      if (refused) return refused
      await sql`update ${table} set deleted_at = ${deleted_at} where id = ${id}`.execute(trx)
      await journal(trx, exchange, { action: of.remove.name, entity, entity_id: id, before, after: null })
      return done(null)
    }),
    change(of.toggle, toggle),
  ]
  return { missing, lock, settle, add, toggle, bindings }
}
