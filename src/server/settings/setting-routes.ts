import { sql } from 'kysely'

import * as call from '../../contract/settings.ts'
import type { Trx } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import { source } from '../db/lists/source.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { seenByAll } from '../visibility/visibility.ts'
import { ownFilterRoutes } from './own-filters.ts'
import { parameterRows } from './parameter-rows.ts'
import { siteRoutes } from './site-routes.ts'
import { updateParameter, updateParameters } from './update-parameter.ts'
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
  columns: {
    code: sql`t.code`,
    translation: sql`t.translation`,
    gender: sql`t.gender`,
    delivered: sql`t.delivered`,
  },
  filters: {
    searchname: {
      test: ({ value }) => everyWord(sql`search_text(t.delivered || ' ' || t.translation)`, value),
    },
  },
  sorts: { delivered: sql`search_text(t.delivered)`, translation: sql`search_text(t.translation)` },
})

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
