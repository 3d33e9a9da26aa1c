import { type RawBuilder, sql } from 'kysely'

import type { Period } from '../../domain/stat-periods.ts'
import { loanSitesInSight, type Sight } from '../sight/sight.ts'

/** Loans l that were made in a period. */
export const lentIn = ({ start_date, end_date }: Period, sight: Sight): RawBuilder<unknown> => sql`
  l.start_date between ${start_date}::date and ${end_date}::date and l.deleted_at is null
  and l.status <> 'cancelled' and ${loanSitesInSight(sight)}`

/**
 * Who borrowed in a period, once each: `loaning` is the first loan there, `id` its reader, null where that was forgotten
 * (docs/decisions/0052-forgetting.md), and what figures tell readers by. Where some sites are asked for, once for each of them.
 */
export function borrowersIn(period: Period, sight: Sight, timezone: string): RawBuilder<unknown> {
  const isOfSites = sight.listed !== null
  const previous = isOfSites ? sql`k.previous_here_on` : sql`k.previous_on`
  const lastCut = isOfSites
    ? sql`(select c.day from last_cut_loans c where c.beneficiary = f.beneficiary and c.site = f.site)`
    : sql`(select max(c.day) from last_cut_loans c where c.beneficiary = f.beneficiary)`
  const isBefore = (day: RawBuilder<unknown>) => sql`coalesce(${day} < ${period.start_date}::date, true)`
  return sql`(
    select f.loaning, b.id, b.contract_type, b.agency_id, b.commune, b.kind,
      date_trunc('month', b.created_at at time zone ${timezone})::date as registered_on
    from (
      select g.beneficiary, g.site, (g.first & 4294967295)::int as loaning, date '2000-01-01' + (g.first >> 32)::int as day
      from (
        select l.beneficiary, ${isOfSites ? sql`l.site` : sql`null::int as site`},
          min(((l.start_date - date '2000-01-01')::bigint << 32) | l.id) as first
        from loanings l where ${lentIn(period, sight)} and l.beneficiary is not null
        group by l.beneficiary ${isOfSites ? sql`, l.site` : sql``}
      ) g
    ) f
      join beneficiaries b on b.id = f.beneficiary
      left join cut_loans k on k.loaning = f.loaning
      left join lateral (select ${lastCut} as day) c on k.loaning is null
    where case when k.loaning is not null then ${isBefore(previous)}
      else c.day > f.day or ${isBefore(sql`c.day`)} end
    union all
    select l.id, null, k.contract_type, k.agency_id, k.commune, k.kind, k.registered_on
    from loanings l join cut_loans k on k.loaning = l.id
    where ${lentIn(period, sight)} and l.beneficiary is null and ${isBefore(previous)})`
}
