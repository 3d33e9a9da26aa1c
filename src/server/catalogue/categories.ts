import { sql } from 'kysely'

import { categories } from '../../contract/categories.ts'
import { source } from '../db/source.ts'
import { bindResource, whileUsed } from '../http/bind-resource.ts'
import { seenByAll } from '../sight/sight.ts'

const rows = source(categories, {
  from: sql`categories cat left join (
    select r.category, count(*) as ref_count from "references" r where r.deleted_at is null group by r.category
  ) counted on counted.category = cat.id`,
  where: sql`cat.deleted_at is null`,
  seen: seenByAll,
  id: sql`cat.id`,
  columns: {
    name: sql`cat.name`,
    ref_count: sql`coalesce(counted.ref_count, 0)`,
    date_update: sql`cat.date_update`,
  },
  sorts: { name: sql`search_text(cat.name)` },
})

export const categoryRoutes = bindResource(categories, 'categories', rows, {
  missing: 'Cette catégorie n’existe pas.',
  taken: { name: 'Une catégorie porte déjà ce nom.' },
  refuses: whileUsed(
    (id) =>
      sql`select count(*)::integer as count from "references" where category = ${id} and deleted_at is null`,
    (count) =>
      count === 1
        ? 'Une référence est dans cette catégorie\u202f: donnez-lui-en une autre avant de la supprimer.'
        : `${count} références sont dans cette catégorie\u202f: donnez-leur-en une autre avant de la supprimer.`,
  ),
})
