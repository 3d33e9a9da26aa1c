import { type RawBuilder, sql } from 'kysely'

import type { ReaderStats, readReaderStats as readReaderStatsCall } from '../../contract/stats.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import { readerName } from '../library-facts/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { readerOpen, visibleReaders } from '../visibility/visibility.ts'
import { askedPeriod } from './asked-period.ts'
import { borrowersIn, type CountedIn } from './borrowers.ts'
import { countOf, countsOf, slicesOfTable } from './in-slices.ts'
import { mostLent } from './most-lent.ts'
import { partsOf } from './parts.ts'

type Borrowed = Pick<ReaderStats, 'contracts' | 'sites'> & { active: number; bands: Record<string, number> }

/** Who borrowed in a period; names only for who may know who borrows most. */
export async function readReaderStats(
  db: Db,
  { query }: VerbInput<typeof readReaderStatsCall>,
  exchange: Exchange,
): Promise<Outcome<ReaderStats>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, visibility } = asked
  const timezone = exchange.parameters.get('timezone')
  const found = await countsOf(
    db,
    await borrowersIn(db, { period, visibility, timezone }),
    { agency_id: 'int', contract_type: 'text', band: 'text' },
    (slice) => sql`
      select x.agency_id, x.contract_type, ${seniorityAt(period.end_date)} as band, count(*)::int as count
      from ${slice} x group by 1, 2, 3`,
  )
  const readers = sql`sum(x.count)::int`
  const { active, bands, ...parts } = await oneRow<Borrowed>(
    db,
    sql`
    with found as materialized (select * from ${found} told)
    select (select coalesce(sum(count), 0) from found)::int as active,
      (select coalesce(json_agg(json_build_object('id', null, 'name', contract_type, 'count', count)
          order by count desc, contract_type), '[]')
        from (select contract_type, ${readers} as count from found x group by 1) by_contract) as contracts,
      ${partsOf(sql`found`, { column: 'agency_id', table: 'sites', count: readers })} as sites,
      (select coalesce(json_object_agg(band, count), '{}')
        from (select band, ${readers} as count from found x group by 1) banded) as bands`,
  )
  const activeBefore = await countOf(
    db,
    await borrowersIn(db, { period: before, visibility, timezone }),
    (slice) => sql`select count(*)::int as count from ${slice} x`,
  )
  const registered = {
    now: await countRegistered(db, { period, visibility, timezone }),
    before: await countRegistered(db, { period: before, visibility, timezone }),
  }
  const mayName = visibility.rights.has('STATISTIC_LOANINGS_BENEFICIARY')
  const tops = mayName ? await topsOf(db, asked) : null
  return done({
    period,
    before,
    active: { now: active, before: activeBefore },
    registered,
    ...parts,
    tops,
    ages: ageBands.map((band) => ({ band, count: bands[band] ?? 0 })),
  })
}

const ageBands = ['1', '2', '5', '10', 'more'] as const

/** How long readers (x) had been there on a day. */
export function seniorityAt(day: CalendarDay): RawBuilder<unknown> {
  const days = sql`(${day}::date - x.registered_on)`
  return sql`
    case when ${days} < 366 then '1' when ${days} < 2 * 365.25 then '2' when ${days} < 5 * 365.25 then '5'
      when ${days} < 10 * 365.25 then '10' else 'more' end`
}

const countRegistered = async (db: Db, { period, visibility, timezone }: CountedIn) =>
  countOf(
    db,
    await slicesOfTable(db, 'beneficiaries', sql`b.id`),
    (slice) => sql`
      select count(*)::int as count from beneficiaries b
      where (b.deleted_at is null or b.forgotten_at is not null) and ${visibleReaders(visibility)} and ${slice}
        and b.created_at >= ${period.start_date}::date::timestamp at time zone ${timezone}
        and b.created_at < (${period.end_date}::date + 1)::timestamp at time zone ${timezone}`,
  )

/** Readers of closed sites are left out, because their place would tell of them. */
async function topsOf(
  db: Db,
  { period, visibility }: Pick<CountedIn, 'period' | 'visibility'>,
): Promise<ReaderStats['tops']> {
  const first = await mostLent(
    db,
    'beneficiary',
    { period, visibility },
    (lent) => sql`
      select b.id, ${readerName} as name, lent.loans from ${lent} join beneficiaries b on b.id = lent.id
      where ${readerOpen(visibility)} and b.deleted_at is null order by lent.loans desc, b.sort_name, b.id limit 10`,
  )
  const { tops } = await oneRow<Pick<ReaderStats, 'tops'>>(
    db,
    sql`
    select coalesce(json_agg(json_build_object('id', top.id, 'name', top.name, 'loans', top.loans)
      order by top.loans desc, top.name, top.id), '[]') as tops
    from (${first}) top`,
  )
  return tops
}
