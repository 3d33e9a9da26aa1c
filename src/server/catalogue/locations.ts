import { sql } from 'kysely'

import { locations } from '../../contract/locations.ts'
import { source } from '../db/source.ts'
import { bindResource, whileUsed } from '../http/bind-resource.ts'
import { seenByAll } from '../sight/sight.ts'

const rows = source(locations, {
  from: sql`locations lo left join (
    select c.location, count(*) as copies_count from copies c where c.deleted_at is null group by c.location
  ) counted on counted.location = lo.id`,
  where: sql`lo.deleted_at is null`,
  seen: seenByAll,
  id: sql`lo.id`,
  columns: { label: sql`lo.label`, copies_count: sql`coalesce(counted.copies_count, 0)` },
  sorts: { label: sql`search_text(lo.label)` },
})

export const locationRoutes = bindResource(locations, 'locations', rows, {
  missing: 'Cet emplacement n’existe pas.',
  taken: { label: 'Un emplacement porte déjà ce libellé.' },
  refuses: whileUsed(
    (id) => sql`select count(*)::integer as count from copies where location = ${id} and deleted_at is null`,
    (count) =>
      count === 1
        ? 'Un exemplaire est à cet emplacement\u202f: rangez-le ailleurs avant de le supprimer.'
        : `${count} exemplaires sont à cet emplacement\u202f: rangez-les ailleurs avant de le supprimer.`,
  ),
})
