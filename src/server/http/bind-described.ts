import { type RawBuilder, sql } from 'kysely'

import type { Described } from '../../contract/described.ts'
import type { Field } from '../../contract/field-kinds.ts'
import { aNoun, capitalised } from '../../domain/noun.ts'
import type { Trx } from '../db/handles.ts'
import { type Source, source, type SourceOf } from '../db/lists/source.ts'
import { seenByAll, type Visibility } from '../visibility/visibility.ts'
import { bindResource, missingOf, type ResourceRules, whileUsed } from './bind-resource.ts'
import { type Binding, change } from './binding.ts'
import type { Exchange } from './exchange.ts'
import { journal } from './journal.ts'
import { done, notFound, type Outcome, violation } from './outcome.ts'

/** What a list does beyond its description. */
export type ListRules = Pick<Partial<ResourceRules>, 'mayWrite'> & {
  /** How often one is used, where that is not what the list shows. */
  uses?: (id: number) => RawBuilder<{ count: number }>
  /** Which of what is of one may be given to another; all of it unless said. `t` is the table that is counted. */
  mayGive?: (visibility: Visibility) => RawBuilder<unknown>
}

type Counted = Extract<Field, { kind: 'counted' }>

const countedIn = (fields: Described['description']['fields']): [name: string, field: Counted][] =>
  Object.entries(fields).flatMap(([name, field]) => (field.kind === 'counted' ? [[name, field]] : []))

/** What is of a list, as rows `(of, id)`. */
const usesOf = ({ of: { table, by, through } }: Counted) =>
  through
    ? sql`(select b.${sql.ref(by)} as "of", t.id from ${sql.table(through.table)} b
        join ${sql.table(table)} t on t.id = b.${sql.ref(through.of)} and t.deleted_at is null)`
    : sql`(select t.${sql.ref(by)} as "of", t.id from ${sql.table(table)} t where t.deleted_at is null)`

/** How a described list reads from the table of its name. */
export function describedRows<R extends Described>(of: R): Source<R> {
  const fields = Object.entries<Field>(of.description.fields)
  const counts = countedIn(of.description.fields).map(
    ([name, field]) => sql`left join (
      select u."of", count(*) as count from ${usesOf(field)} u group by u."of"
    ) ${sql.ref(name)} on ${sql.ref(name)}."of" = t.id`,
  )
  const column = ([name, { kind }]: [string, Field]): RawBuilder<unknown> =>
    kind === 'counted' ? sql`coalesce(${sql.ref(name)}.count, 0)` : sql`t.${sql.ref(name)}`
  const names = fields.filter(([, field]) => 'isName' in field)
  return source(of, {
    from: sql`${sql.table(of.name)} t ${sql.join(counts, sql` `)}`,
    where: sql`t.deleted_at is null`,
    seen: seenByAll,
    id: sql`t.id`,
    columns: Object.fromEntries(fields.map((field) => [field[0], column(field)])),
    sorts: Object.fromEntries(names.map(([name]) => [name, sql`search_text(t.${sql.ref(name)})`])),
  } as unknown as SourceOf<R>)
}

/** Serves a list of the settings from its description. */
export function bindDescribed(of: Described, { mayWrite, uses, mayGive }: ListRules = {}): Binding[] {
  const { noun, fields, inUse } = of.description
  const [counted] = countedIn(fields)
  const taken = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      'isName' in field
        ? [[name, field.taken ?? `${capitalised(aNoun(noun))} porte déjà ce ${field.label.toLowerCase()}.`]]
        : [],
    ),
  )
  const countUses =
    uses ??
    (counted &&
      ((id: number) => sql<{ count: number }>`
        select count(*)::integer as count from ${usesOf(counted[1])} u where u."of" = ${id}`))
  const bindings = bindResource(of, describedRows(of), {
    taken,
    ...(mayWrite ? { mayWrite } : {}),
    refuses: async (trx, id) => {
      if (!countUses || !inUse) return null
      const { rows } = await countUses(id).execute(trx)
      return whileUsed(rows[0]?.count ?? 0, inUse)
    },
  })
  if (!of.move || !counted) return bindings
  return [...bindings, change(of.move, moveUses({ of, counted: counted[1], mayGive }))]
}

type Moving = {
  of: Described
  counted: Counted
  mayGive: ListRules['mayGive']
}
type Asked = { params: { id: number }; body: { into: number } }

/** Whoever may delete one that serves gives what is of it to another first. */
const moveUses =
  ({ of, counted, mayGive }: Moving) =>
  async (
    trx: Trx,
    { params: { id }, body: { into } }: Asked,
    exchange: Exchange,
  ): Promise<Outcome<{ count: number }>> => {
    // Locked in the order of their ids, so that two moves at once never wait for each other.
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(of.name)} where id in (${id}, ${into}) and deleted_at is null
      order by id for update`.execute(trx)
    const isThere = (one: number) => rows.some((row) => row.id === one)
    const { noun } = of
    const missing = missingOf(of)
    if (!isThere(id)) return notFound(missing)
    if (!isThere(into)) return violation('into', missing)
    if (into === id) {
      return violation('into', `Choisissez ${noun.gender === 'f' ? 'une' : 'un'} autre ${noun.one}.`)
    }
    const { table, by } = counted.of
    const given = await sql`
      update ${sql.table(table)} t set ${sql.ref(by)} = ${into}
      where t.${sql.ref(by)} = ${id} and t.deleted_at is null
        and ${mayGive?.(exchange.visibility) ?? sql`true`}`.execute(trx)
    const count = Number(given.numAffectedRows ?? 0)
    if (count > 0) {
      await journal(trx, exchange, {
        action: `${of.name}.move`,
        entity: of.name,
        entity_id: id,
        before: { moved_to: null, moved_count: null },
        after: { moved_to: into, moved_count: count },
      })
    }
    return done({ count })
  }
