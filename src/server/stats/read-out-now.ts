import { sql } from 'kysely'

import type { OutNow, readOutNow as readOutNowCall } from '../../contract/stats.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { loanSitesInSight } from '../sight/sight.ts'
import { askedSites } from './asked-period.ts'
import { partsOf } from './parts.ts'

/** What is out at this moment, by medium, site and lateness (decision 69 of the specification). */
export async function readOutNow(
  db: Db,
  { query }: VerbInput<typeof readOutNowCall>,
  { sight, today }: Exchange,
): Promise<Outcome<OutNow>> {
  const places = askedSites(query.site, sight)
  if (!places.ok) return places
  const { rows } = await sql<Omit<OutNow, 'delays'> & { bands: Record<string, number> }>`
    with found as materialized (
      select l.site, r.medium, ${today}::date - l.end_date as late_days
      from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
      where l.status = 'in_progress' and ${loanSitesInSight(places.sight)})
    select (select count(*) from found)::int as total, (select count(*) from found where late_days > 0)::int as late,
      ${partsOf(sql`found`, { column: 'medium', table: 'media' })} as media,
      ${partsOf(sql`found`, { column: 'site', table: 'sites' })} as sites,
      (select coalesce(json_object_agg(band, count), '{}') from (
        select case when late_days <= 0 then 'none' when late_days <= 7 then '7' when late_days <= 30 then '30'
          when late_days <= 90 then '90' else 'more' end as band, count(*) as count
        from found group by 1) banded) as bands`.execute(db)
  const [told] = rows
  if (!told) throw new Error('one row of figures always comes')
  const { bands, ...figures } = told
  return done({ ...figures, delays: delayBands.map((band) => ({ band, count: bands[band] ?? 0 })) })
}

const delayBands = ['none', '7', '30', '90', 'more'] as const
