import { sql } from 'kysely'

import type { Collection, ListQuery } from '../../contract/list.ts'
import { type Weeding, weedings } from '../../contract/weeding.ts'
import type { Db } from '../db/handles.ts'
import { accountName } from '../db/person-names.ts'
import { source } from '../db/source.ts'
import { copiesInSight, type Sight, weedingsInSight } from '../sight/sight.ts'

/** What was withdrawn at once at the listed sites, with what of it stands there. */
const rowsFor = (sight: Sight) =>
  source(weedings, {
    from: sql`weedings g join users u on u.id = g.user_id cross join lateral (
      select count(*)::integer as copies, coalesce(sum(coalesce(c.price, r.price)), 0)::numeric(12, 2) as value,
        array_agg(distinct coalesce(k.reason, g.reason)) as reasons
      from weeding_lines k join copies c on c.id = k.copy join "references" r on r.id = c.reference
      where k.weeding = g.id and ${copiesInSight(sight)}) told`,
    where: sql`g.deleted_at is null`,
    seen: weedingsInSight(sight),
    id: sql`g.id`,
    columns: {
      withdrawn_on: sql`g.withdrawn_on`,
      who: accountName('u'),
      copies: sql`told.copies`,
      value: sql`told.value`,
      reasons: sql`told.reasons`,
      act: sql`g.act`,
    },
  })

export const listWeedings = (db: Db, list: ListQuery, sight: Sight): Promise<Collection<Weeding>> =>
  rowsFor(sight).list(db, list)

export const findWeeding = (db: Db, id: number, sight: Sight): Promise<Weeding | null> =>
  rowsFor(sight).find(db, id)
