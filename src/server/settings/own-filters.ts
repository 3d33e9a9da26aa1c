import { collection } from '../../contract/list.ts'
import { sql } from 'kysely'

import { tagNames } from '../../contract/catalogue.ts'
import * as call from '../../contract/filters.ts'
import type { ListGroup } from '../../domain/list-groups.ts'
import type { Db, Trx } from '../db/handles.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, violation } from '../http/outcome.ts'

/** Every filter that a list may have; those of its own fields and functions come after the delivered ones. */
async function choicesOf(db: Db | Trx, list: call.FilteredList): Promise<readonly call.FilterChoice[]> {
  const delivered = call.filterChoices[list]
  if (list !== 'references') return delivered
  const { rows: fields } = await sql<{ code: string }>`
    select code from reference_fields where not disabled order by position, id`.execute(db)
  const { rows: types } = await sql<{ id: number; group: ListGroup }>`
    select id, "group" from list_types where enabled and deleted_at is null
    order by "group", search_text(name), id`.execute(db)
  return [
    ...delivered,
    ...fields.map(({ code }) => call.wordsFilter(fieldInWire(code))),
    ...types.map(({ id, group }) => call.wordsFilter(`list_types.${id}`, group === 'author')),
  ]
}

const fieldInWire = (code: string): string =>
  (tagNames as readonly string[]).includes(code) ? `tags.${code}` : `reference_data.${code}`

const collectionOf = (all: readonly call.FilterChoice[], chosen: readonly string[]) => {
  const members = chosen.flatMap((code) => {
    const place = all.findIndex((filter) => filter.code === code)
    const filter = all[place]
    if (!filter) return []
    return [{ '@id': `/api/filters/${filter.code}`, '@type': 'Filter' as const, id: place + 1, ...filter }]
  })
  return collection(members)
}

const codesOf = (all: readonly call.FilterChoice[]): string[] => all.map(({ code }) => code)

async function ownCodes(db: Db | Trx, list: call.FilteredList, user_id: number): Promise<string[]> {
  const saved = await db
    .selectFrom('user_filters')
    .select('codes')
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .executeTakeFirst()
  return saved?.codes ?? codesOf(call.filterChoices[list])
}

async function saveOwnFilters(
  trx: Trx,
  { body }: VerbInput<typeof call.saveOwnFilters>,
  { caller, now }: Exchange,
) {
  const { list } = body
  const all = await choicesOf(trx, list)
  const known = codesOf(all)
  const codes = [...new Set(body.filters)]
  const unknown = codes.find((code) => !known.includes(code))
  if (unknown !== undefined) {
    return violation('filters', `Le filtre «\u00a0${unknown}\u00a0» n’existe pas dans cette liste.`)
  }
  const date_update = now.toISOString()
  await trx
    .insertInto('user_filters')
    .values({ user_id: caller.user_id, list, codes, date_update })
    .onConflict((conflict) => conflict.columns(['user_id', 'list']).doUpdateSet({ codes, date_update }))
    .execute()
  return done(collectionOf(all, codes))
}

export const ownFilterRoutes = [
  read(call.listFilters, async (db, { query: { list } }) => {
    const all = await choicesOf(db, list)
    return done(collectionOf(all, codesOf(all)))
  }),
  read(call.listOwnFilters, async (db, { query: { list } }, { caller }) =>
    done(collectionOf(await choicesOf(db, list), await ownCodes(db, list, caller.user_id))),
  ),
  change(call.saveOwnFilters, saveOwnFilters),
]
