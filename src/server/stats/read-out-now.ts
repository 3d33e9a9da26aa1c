import { sql } from 'kysely'

import type { OutNow, readOutNow as readOutNowCall } from '../../contract/stats.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { askedSites } from './asked-period.ts'
import { partsOf } from './parts.ts'
import { outNow } from './tallied.ts'

/** What is out at this moment, by medium, site and lateness (decision 69 of the specification). */
export async function readOutNow(
  db: Db,
  { query }: VerbInput<typeof readOutNowCall>,
  { sight, today }: Exchange,
): Promise<Outcome<OutNow>> {
  const places = askedSites(query.site, sight)
  if (!places.ok) return places
  const loans = sql`sum(x.loans)::int`
  const { bands, ...figures } = await oneRow<Omit<OutNow, 'delays'> & { bands: Record<string, number> }>(
    db,
    sql`
    with found as materialized (
      select l.site, l.medium, ${today}::date - l.due_on as late_days, sum(l.loans)::int as loans
      from lending_tallies l where ${outNow(places.sight)} group by 1, 2, 3)
    select coalesce(sum(loans), 0)::int as total, coalesce(sum(loans) filter (where late_days > 0), 0)::int as late,
      ${partsOf(sql`found`, { column: 'medium', table: 'media', count: loans })} as media,
      ${partsOf(sql`found`, { column: 'site', table: 'sites', count: loans })} as sites,
      (select coalesce(json_object_agg(band, count), '{}') from (
        select case when late_days <= 0 then 'none' when late_days <= 7 then '7' when late_days <= 30 then '30'
          when late_days <= 90 then '90' else 'more' end as band, ${loans} as count
        from found x group by 1) banded) as bands
    from found`,
  )
  return done({ ...figures, delays: delayBands.map((band) => ({ band, count: bands[band] ?? 0 })) })
}

const delayBands = ['none', '7', '30', '90', 'more'] as const
