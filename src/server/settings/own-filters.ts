import * as call from '../../contract/filters.ts'
import type { Db, Trx } from '../db/handles.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, violation } from '../http/outcome.ts'

type Filters = (typeof call.filterChoices)[call.FilteredList]

const collectionOf = (list: call.FilteredList, chosen: readonly string[]) => {
  const all: Filters = call.filterChoices[list]
  const members = chosen.flatMap((code) => {
    const place = all.findIndex((filter) => filter.code === code)
    const filter = all[place]
    if (!filter) return []
    return [{ '@id': `/api/filters/${filter.code}`, '@type': 'Filter' as const, id: place + 1, ...filter }]
  })
  return { 'hydra:member': members, 'hydra:totalItems': members.length }
}

const codesOf = (list: call.FilteredList): string[] => call.filterChoices[list].map(({ code }) => code)

async function ownCodes(db: Db | Trx, list: call.FilteredList, user_id: number): Promise<string[]> {
  const saved = await db
    .selectFrom('user_filters')
    .select('codes')
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .executeTakeFirst()
  return saved?.codes ?? codesOf(list)
}

async function saveOwnFilters(
  trx: Trx,
  { body }: VerbInput<typeof call.saveOwnFilters>,
  { caller, now }: Exchange,
) {
  const { list } = body
  const known = codesOf(list)
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
  return done(collectionOf(list, codes))
}

export const ownFilterRoutes = [
  read(call.listFilters, (_db, { query }) =>
    Promise.resolve(done(collectionOf(query.list, codesOf(query.list)))),
  ),
  read(call.listOwnFilters, async (db, { query: { list } }, { caller }) =>
    done(collectionOf(list, await ownCodes(db, list, caller.user_id))),
  ),
  change(call.saveOwnFilters, saveOwnFilters),
]
