import { sql } from 'kysely'

import { keywords } from '../../contract/keywords.ts'
import { source } from '../db/source.ts'
import { bindResource, whileUsed } from '../http/bind-resource.ts'
import { seenByAll } from '../sight/sight.ts'

const rows = source(keywords, {
  from: sql`keywords k left join (
    select rk.keyword, count(*) as ref_count from reference_keywords rk
    join "references" r on r.id = rk.reference and r.deleted_at is null group by rk.keyword
  ) counted on counted.keyword = k.id`,
  where: sql`k.deleted_at is null`,
  seen: seenByAll,
  id: sql`k.id`,
  columns: {
    name: sql`k.name`,
    ref_count: sql`coalesce(counted.ref_count, 0)`,
    enabled: sql`k.enabled`,
    date_update: sql`k.date_update`,
  },
  sorts: { name: sql`search_text(k.name)` },
})

export const keywordRoutes = bindResource(keywords, 'keywords', rows, {
  missing: 'Ce mot-clé n’existe pas.',
  taken: { name: 'Ce mot-clé existe déjà.' },
  refuses: whileUsed(
    (id) => sql`
      select count(*)::integer as count from reference_keywords rk
      join "references" r on r.id = rk.reference and r.deleted_at is null where rk.keyword = ${id}`,
    (count) =>
      count === 1
        ? 'Une référence porte ce mot-clé\u202f: désactivez-le plutôt, il ne sera plus proposé.'
        : `${count} références portent ce mot-clé\u202f: désactivez-le plutôt, il ne sera plus proposé.`,
  ),
})
