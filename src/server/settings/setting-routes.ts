import { sql } from 'kysely'

import { tagNames } from '../../contract/catalogue.ts'
import * as filters from '../../contract/filters.ts'
import { collection } from '../../contract/list.ts'
import * as call from '../../contract/settings.ts'
import * as siteCall from '../../contract/site-changes.ts'
import { sites } from '../../contract/sites.ts'
import { defaultSymbology } from '../../domain/label-symbologies.ts'
import type { ListGroup } from '../../domain/list-groups.ts'
import { numberingFault } from '../../domain/site-bar-code.ts'
import { nextBarCode, noSuchSite, sampleOf } from '../catalogue/next-bar-code.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { isSiteOpen, seenByAll } from '../visibility/visibility.ts'
import { addSite, changeSite, siteRows } from './save-site.ts'
import { parameterRows, updateParameter, updateParameters } from './update-parameter.ts'
import { viewRoutes } from './views.ts'

async function changeTranslation(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof call.changeTranslation>,
  exchange: Exchange,
): Promise<Outcome<call.Translation>> {
  await sql`select from translations where id = ${id} for update`.execute(trx)
  const before = await translationRows.find(trx, id)
  if (!before) return notFound('Ce mot n’existe pas.')
  const { translation, gender = before.gender } = body
  if (translation === before.translation && gender === before.gender) return done(before)
  await trx.updateTable('translations').set({ translation, gender }).where('id', '=', id).execute()
  const after = { ...before, translation, gender }
  await journal(trx, exchange, {
    action: 'translations.change',
    entity: 'translations',
    entity_id: id,
    before,
    after,
  })
  return done(after)
}

const translationRows = source(call.translations, {
  from: sql`translations t`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`t.id`,
  columns: ownColumns('t', 'code', 'translation', 'gender', 'delivered'),
  filters: {
    searchname: {
      test: ({ value }) => everyWord(sql`search_text(t.delivered || ' ' || t.translation)`, value),
    },
  },
  sorts: { delivered: sql`search_text(t.delivered)`, translation: sql`search_text(t.translation)` },
})

const siteRoutes = [
  read(sites.list, async (db, { list }) => done(await siteRows.list(db, list))),
  read(siteCall.getSite, async (db, { params }) => {
    const site = await siteRows.find(db, params.id)
    return site ? done(site) : notFound(noSuchSite)
  }),
  change(siteCall.addSite, addSite),
  change(siteCall.changeSite, changeSite),
  read(siteCall.getNextBarCode, async (db, { params: { id } }, { visibility }) =>
    isSiteOpen(visibility, id) ? nextBarCode(db, id) : notFound(noSuchSite),
  ),
  read(siteCall.sampleBarCodes, async (db, { query: { site = null, symbology, ...numbering } }) => {
    const configuration = { ...numbering, symbology: symbology ?? defaultSymbology }
    // What cannot be saved would give none.
    if (numberingFault(configuration)) return done({ bar_codes: [] })
    return done({ bar_codes: await sampleOf(db, configuration, site) })
  }),
]

/** Every filter that a list may have; those of its own fields and functions come after the delivered ones. */
async function choicesOf(db: Db | Trx, list: filters.FilteredList): Promise<readonly filters.FilterChoice[]> {
  const delivered = filters.filterChoices[list]
  if (list !== 'references') return delivered
  const { rows: fields } = await sql<{ code: string }>`
    select code from reference_fields where not disabled order by position, id`.execute(db)
  const { rows: types } = await sql<{ id: number; group: ListGroup }>`
    select id, "group" from list_types where enabled and deleted_at is null
    order by "group", search_text(name), id`.execute(db)
  return [
    ...delivered,
    ...fields.map(({ code }) => filters.wordsFilter(fieldInWire(code))),
    ...types.map(({ id, group }) => filters.wordsFilter(`list_types.${id}`, group === 'author')),
  ]
}

const fieldInWire = (code: string): string =>
  (tagNames as readonly string[]).includes(code) ? `tags.${code}` : `reference_data.${code}`

const collectionOf = (all: readonly filters.FilterChoice[], chosen: readonly string[]) => {
  const members = chosen.flatMap((code) => {
    const place = all.findIndex((filter) => filter.code === code)
    const filter = all[place]
    if (!filter) return []
    return [{ '@id': `/api/filters/${filter.code}`, '@type': 'Filter' as const, id: place + 1, ...filter }]
  })
  return collection(members)
}

const codesOf = (all: readonly filters.FilterChoice[]): string[] => all.map(({ code }) => code)

async function ownCodes(db: Db | Trx, list: filters.FilteredList, user_id: number): Promise<string[]> {
  const saved = await db
    .selectFrom('user_filters')
    .select('codes')
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .executeTakeFirst()
  return saved?.codes ?? codesOf(filters.filterChoices[list])
}

async function saveOwnFilters(
  trx: Trx,
  { body }: VerbInput<typeof filters.saveOwnFilters>,
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

const ownFilterRoutes = [
  read(filters.listFilters, async (db, { query: { list } }) => {
    const all = await choicesOf(db, list)
    return done(collectionOf(all, codesOf(all)))
  }),
  read(filters.listOwnFilters, async (db, { query: { list } }, { caller }) =>
    done(collectionOf(await choicesOf(db, list), await ownCodes(db, list, caller.user_id))),
  ),
  change(filters.saveOwnFilters, saveOwnFilters),
]

export const settingRoutes = [
  read(call.parameters.list, async (db, { list }) => done(await parameterRows.list(db, list))),
  change(call.updateParameter, updateParameter),
  change(call.updateParameters, updateParameters),
  ...siteRoutes,
  ...ownFilterRoutes,
  ...viewRoutes,
  read(call.translations.list, async (db, { list }) => done(await translationRows.list(db, list))),
  change(call.changeTranslation, changeTranslation),
]
