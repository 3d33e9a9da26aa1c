import { sql } from 'kysely'

import type { Resource, switchable } from '../../contract/resource.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { capitalised, thisNoun } from '../../domain/noun.ts'
import { codeOf } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import type { Source } from '../db/lists/source.ts'
import { rowsAsJson } from '../db/rows-as-json.ts'
import { journal } from './journal.ts'
import { type Binding, change, read } from './binding.ts'
import type { Exchange } from './exchange.ts'
import { conflict, done, notFound, type Outcome, type Refused, violation } from './outcome.ts'

type Stored = Record<string, unknown> & { id: number }

export type ResourceRules = {
  /** By field, for a value that another item has; the unique index is named `table_field`. */
  taken?: Record<string, string>
  /** Further rights or rules, of the row as it is or as it would be. */
  mayWrite?: (row: Stored, exchange: Exchange, trx: Trx) => Refused | null | Promise<Refused | null>
  refuses?: (trx: Trx, id: number) => Promise<Refused | null>
}

/** Serves a resource from the table of its name; what is removed is hidden, and each real change is journalled. */
export function bindResource<R extends Resource | ReturnType<typeof switchable<Resource>>>(
  resource: R,
  rows: Source<R>,
  { taken = {}, mayWrite = () => null, refuses = () => Promise.resolve(null) }: ResourceRules,
): Binding[] {
  const table = resource.name
  const at = sql.table(table)
  const missing = missingOf(resource)
  const isStamped = 'date_update' in resource.member.entries

  const lock = async (trx: Trx, id: number): Promise<Stored | null> => {
    const found = await sql<{ row: Stored }>`
      select to_jsonb(t) as row from ${at} t where id = ${id} and deleted_at is null for update`.execute(trx)
    return found.rows[0]?.row ?? null
  }

  const write = async (
    { trx, exchange, action }: Change,
    before: Stored,
    fields: object,
  ): Promise<Refused | null> => {
    const differing = Object.entries(fields).filter(([name, value]) => before[name] !== value)
    if (differing.length === 0) return null
    const after = { ...before, ...fields }
    const refused = (await mayWrite(before, exchange, trx)) ?? (await mayWrite(after, exchange, trx))
    if (refused) return refused
    const set = [...differing, ...stamp(exchange)].map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    await sql`update ${at} set ${sql.join(set)} where id = ${before.id}`.execute(trx)
    await journal(trx, exchange, { action, entity: table, entity_id: before.id, before, after })
    return null
  }
  const stamp = ({ now }: Exchange): [string, unknown][] =>
    isStamped ? [['date_update', now.toISOString()]] : []

  const changeOne = async (
    how: Change,
    id: number,
    fields: (before: Stored) => object,
  ): Promise<Outcome<never>> => {
    const before = await lock(how.trx, id)
    if (!before) return notFound(missing)
    const refused = await write(how, before, fields(before))
    return refused ?? done((await rows.find(how.trx, id)) as never)
  }
  const untaken = (work: () => Promise<Outcome<never>>) =>
    work().catch((error: unknown) => takenField(error, table, taken))

  const bindings = [
    read(resource.list, async (db, { list }) => done((await rows.list(db, list)) as never)),
    change(resource.add, (trx, { body }, exchange) =>
      untaken(async () => {
        const fields = [...Object.entries(body as object), ...stamp(exchange)]
        const refused = await mayWrite({ id: 0, ...(body as object) }, exchange, trx)
        if (refused) return refused
        const names = fields.map(([name]) => sql.ref(name))
        const values = fields.map(([, value]) => sql`${value}`)
        const { rows: added } = await sql<{ id: number }>`
          insert into ${at} (${sql.join(names)}) values (${sql.join(values)}) returning id`.execute(trx)
        const [after] = await rowsAsJson<Stored>(trx, table, added)
        if (!after) throw new Error(`${table} lacks what was added`)
        const action = resource.add.name
        await journal(trx, exchange, { action, entity: table, entity_id: after.id, before: null, after })
        return done((await rows.find(trx, after.id)) as never)
      }),
    ),
    change(resource.change, (trx, { params, body }, exchange) =>
      untaken(() => changeOne({ trx, exchange, action: resource.change.name }, params.id, () => body)),
    ),
    change(resource.remove, async (trx, { params: { id } }, exchange) => {
      const before = await lock(trx, id)
      if (!before) return notFound(missing)
      const refused = (await mayWrite(before, exchange, trx)) ?? (await refuses(trx, id))
      if (refused) return refused
      await sql`update ${at} set deleted_at = ${exchange.now.toISOString()} where id = ${id}`.execute(trx)
      await journal(trx, exchange, {
        action: resource.remove.name,
        entity: table,
        entity_id: id,
        before,
        after: null,
      })
      return done(null)
    }),
  ]
  if (!('toggle' in resource)) return bindings
  const { toggle } = resource
  return [
    ...bindings,
    change(toggle, (trx, { params }, exchange) =>
      changeOne({ trx, exchange, action: toggle.name }, params.id, ({ enabled }) => ({ enabled: !enabled })),
    ),
  ]
}

type Change = { trx: Trx; exchange: Exchange; action: string }

export function takenField(error: unknown, table: string, taken: Record<string, string>): Refused {
  if (codeOf(error) !== '23505') throw error
  // A distributed engine names an index in its message alone, with a number behind.
  const { constraint, message } = error as { constraint?: string; message: string }
  const field = Object.keys(taken).find((name) =>
    new RegExp(`\\b${table}_${name}(_\\d+)?\\b`).test(constraint ?? message),
  )
  if (field === undefined) throw error
  return violation(field, taken[field]!)
}

/** « Cette catégorie n’existe pas. » */
export const missingOf = ({ noun }: Pick<Resource, 'noun'>): string =>
  `${capitalised(thisNoun(noun))} n’existe pas.`

/** Why one that serves is not deleted; `many` follows how often it does. */
type InUse = { one: string; many: string }

/** Refuses with 409 and a count to remove what is still used. */
export const whileUsed = (count: number, { one, many }: InUse): Refused | null =>
  count === 0 ? null : conflict('IN_USE', count === 1 ? one : `${frenchNumber(count)} ${many}`, { count })
