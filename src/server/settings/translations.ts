import { sql } from 'kysely'

import {
  type changeTranslation as changeTranslationCall,
  type Translation,
  translations,
} from '../../contract/settings.ts'
import type { Trx } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import { source } from '../db/lists/source.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { seenByAll } from '../visibility/visibility.ts'

export async function changeTranslation(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof changeTranslationCall>,
  exchange: Exchange,
): Promise<Outcome<Translation>> {
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

export const translationRows = source(translations, {
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
