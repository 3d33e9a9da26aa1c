import { sql } from 'kysely'

import type { changeTranslation as changeTranslationCall, Translation } from '../../contract/settings.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { translationRows } from './translation-rows.ts'

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
