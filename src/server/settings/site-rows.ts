import { sql } from 'kysely'

import { sites } from '../../contract/sites.ts'
import { source } from '../db/source.ts'
import { seenByAll } from '../sight/sight.ts'

export const siteRows = source(sites, {
  from: sql`sites s`,
  where: sql`s.deleted_at is null`,
  seen: seenByAll,
  id: sql`s.id`,
  columns: {
    name: sql`s.name`,
    enabled: sql`s.enabled`,
    gestit_id: sql`s.gestit_id`,
    bar_codes_configuration: sql`s.bar_codes_configuration`,
    last_reference: sql`s.last_reference`,
    open_weekdays: sql`s.open_weekdays`,
    weekly_minutes: sql`s.weekly_minutes`,
  },
  sorts: { name: sql`search_text(s.name)` },
})
