import { sql } from 'kysely'

import { translations } from '../../contract/settings.ts'
import { everyWord } from '../db/list-sql.ts'
import { source } from '../db/source.ts'
import { seenByAll } from '../sight/sight.ts'

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
