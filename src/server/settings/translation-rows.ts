import { sql } from 'kysely'

import { translations } from '../../contract/settings.ts'
import { source } from '../db/source.ts'
import { seenByAll } from '../sight/sight.ts'

export const translationRows = source(translations, {
  from: sql`translations t`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`t.id`,
  columns: { code: sql`t.code`, translation: sql`t.translation` },
  sorts: { translation: sql`search_text(t.translation)` },
})
