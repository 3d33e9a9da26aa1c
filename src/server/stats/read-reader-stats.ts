import { sql } from 'kysely'

import type { ReaderStats, readReaderStats as readReaderStatsCall } from '../../contract/stats.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { readerName } from '../db/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { readerOpen, readersInSight, type Sight } from '../sight/sight.ts'
import { askedPeriod } from './asked-period.ts'
import { borrowersIn, lentIn } from './borrowers.ts'
import { partsOf } from './parts.ts'

type Told = Pick<ReaderStats, 'contracts' | 'sites' | 'tops'> & {
  active: number
  active_before: number
  registered: number
  registered_before: number
  bands: Record<string, number>
}

/** Who borrowed in a period (decision 69 of the specification); names only for who may know who borrows most. */
export async function readReaderStats(
  db: Db,
  { query }: VerbInput<typeof readReaderStatsCall>,
  exchange: Exchange,
): Promise<Outcome<ReaderStats>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, sight } = asked
  const timezone = exchange.parameters.get('timezone')
  const mayName = sight.rights.has('STATISTIC_LOANINGS_BENEFICIARY')
  const { rows } = await sql<Told>`
    with found as materialized (
      select x.agency_id, x.contract_type, ${period.end_date}::date - x.registered_on as days
      from ${borrowersIn(period, sight, timezone)} x)
    select (select count(*) from found)::int as active,
      (select count(*) from ${borrowersIn(before, sight, timezone)} x)::int as active_before,
      (${registeredIn(period, sight, timezone)})::int as registered,
      (${registeredIn(before, sight, timezone)})::int as registered_before,
      (select coalesce(json_agg(json_build_object('id', null, 'name', contract_type, 'count', count)
          order by count desc, contract_type), '[]')
        from (select contract_type, count(*) as count from found group by 1) by_contract) as contracts,
      ${partsOf(sql`found`, { column: 'agency_id', table: 'sites' })} as sites,
      (select coalesce(json_object_agg(band, count), '{}') from (
        select case when days < 366 then '1' when days < 2 * 365.25 then '2' when days < 5 * 365.25 then '5'
          when days < 10 * 365.25 then '10' else 'more' end as band, count(*) as count
        from found group by 1) banded) as bands,
      ${mayName ? topsOf(period, sight) : sql`null::json`} as tops`.execute(db)
  const [told] = rows
  if (!told) throw new Error('one row of figures always comes')
  const { active, active_before, registered, registered_before, bands, ...figures } = told
  return done({
    period,
    before,
    active: { now: active, before: active_before },
    registered: { now: registered, before: registered_before },
    ...figures,
    ages: ageBands.map((band) => ({ band, count: bands[band] ?? 0 })),
  })
}

const ageBands = ['1', '2', '5', '10', 'more'] as const

const registeredIn = ({ start_date, end_date }: Period, sight: Sight, timezone: string) => sql`
  select count(*) from beneficiaries b where (b.deleted_at is null or b.forgotten_at is not null) and ${readersInSight(sight)}
    and b.created_at >= ${start_date}::date::timestamp at time zone ${timezone}
    and b.created_at < (${end_date}::date + 1)::timestamp at time zone ${timezone}`

/** Readers of closed sites are left out, because their place would tell of them. */
const topsOf = (period: Period, sight: Sight) => sql`(
  select coalesce(json_agg(json_build_object('id', top.id, 'name', top.name, 'loans', top.loans)
    order by top.loans desc, top.name, top.id), '[]')
  from (
    select b.id, ${readerName} as name, lent.loans
    from (select l.beneficiary, count(*) as loans from loanings l where ${lentIn(period, sight)} group by 1) lent
      join beneficiaries b on b.id = lent.beneficiary
    where ${readerOpen(sight)} and b.deleted_at is null order by lent.loans desc, b.sort_name, b.id limit 10) top)`
