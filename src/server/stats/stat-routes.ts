import { type RawBuilder, sql } from 'kysely'

import type { CountedRow } from '../../contract/counted-rows.ts'
import type { Collection } from '../../contract/list.ts'
import * as call from '../../contract/stats.ts'
import type {
  Activity,
  listReaderRows as listReaderRowsCall,
  OutNow,
  readActivity as readActivityCall,
  ReaderPart,
  readOutNow as readOutNowCall,
} from '../../contract/stats.ts'
import { daysBetween, plusDays } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import { aMomentAgo, file, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { visibleLoanSites, type Visibility } from '../visibility/visibility.ts'
import { askedPeriod, askedSites } from './asked-period.ts'
import { borrowerRows } from './borrowers.ts'
import { known, readCountedRows } from './counted-rows.ts'
import { ofOneState, outNow, partsOf } from './parts.ts'
import { readLoanStats } from './read-loan-stats.ts'
import { readReaderStats, seniorityAt } from './read-reader-stats.ts'
import { exportReferenceStats, readReferenceStats } from './reference-stats.ts'

/** Who borrowed in a period, from the very relation that counts them. */
async function listReaderRows(
  db: Db,
  { query }: VerbInput<typeof listReaderRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<CountedRow>>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, visibility } = asked
  const timezone = exchange.parameters.get('timezone')
  const columns: Record<ReaderPart, RawBuilder<unknown>> = {
    contract: known(sql`x.contract_type`),
    seniority: seniorityAt(period.end_date),
    site: known(sql`x.agency_id`),
  }
  const { by, part: key, page } = query
  const parts = by === undefined ? [] : [{ by: columns[by], key }]
  return done(
    await readCountedRows(db, borrowerRows({ period, visibility, timezone }, false), { parts, page }),
  )
}

/** What is out at this moment, by medium, site and lateness. */
async function readOutNow(
  db: Db,
  { query }: VerbInput<typeof readOutNowCall>,
  { visibility, today }: Exchange,
): Promise<Outcome<OutNow>> {
  const places = askedSites(query.site, visibility)
  if (!places.ok) return places
  const loans = sql`sum(x.loans)::int`
  const { bands, ...figures } = await oneRow<Omit<OutNow, 'delays'> & { bands: Record<string, number> }>(
    db,
    sql`
    with found as materialized (
      select l.site, l.medium, ${today}::date - l.due_on as late_days, sum(l.loans)::int as loans
      from lending_tallies l where ${outNow(places.visibility)} group by 1, 2, 3)
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

type OfDays = ReadonlyMap<string, number>

/** Exits and returns of each day, each for whoever may see it. */
async function readActivity(
  db: Db,
  { query }: VerbInput<typeof readActivityCall>,
  exchange: Exchange,
): Promise<Outcome<Activity>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, visibility } = asked
  const both = { start_date: before.start_date, end_date: period.end_date }
  const exits = visibility.rights.has('STATISTIC_EXITSDAY') ? await exitsOf(db, both, visibility) : null
  const returns = visibility.rights.has('STATISTIC_RETURNSDAY') ? await returnsOf(db, both, visibility) : null
  const compared = (of: OfDays | null) => of && { now: sumOver(of, period), before: sumOver(of, before) }
  return done({
    period,
    before,
    days: daysOf(period).map((day) => ({
      day,
      exits: exits && (exits.get(day) ?? 0),
      returns: returns && (returns.get(day) ?? 0),
    })),
    exits: compared(exits),
    returns: compared(returns),
  })
}

/** From the tallies, which are as long as the years are, not as the loans. */
const exitsOf = (db: Db, { start_date, end_date }: Period, visibility: Visibility) =>
  ofDays(
    db,
    sql`
    select l.start_date as day, sum(l.loans) as count from loan_tallies l
    where l.start_date between ${start_date}::date and ${end_date}::date and l.status <> 'cancelled'
      and ${visibleLoanSites(visibility)}
    group by 1`,
  )

const returnsOf = (db: Db, { start_date, end_date }: Period, visibility: Visibility) =>
  ofDays(
    db,
    sql`
    select l.day, sum(l.returns) as count from return_tallies l
    where l.day between ${start_date}::date and ${end_date}::date and ${visibleLoanSites(visibility)}
    group by 1`,
  )

/** The sum of a column is told as text. */
async function ofDays(db: Db, sums: RawBuilder<unknown>): Promise<OfDays> {
  const { rows } = await sql<{ day: string; count: string }>`${sums}`.execute(db)
  return new Map(rows.map(({ day, count }) => [day, Number(count)]))
}

const daysOf = ({ start_date, end_date }: Period): string[] =>
  Array.from({ length: daysBetween(start_date, end_date) + 1 }, (_, at) => plusDays(start_date, at))

const sumOver = (of: OfDays, { start_date, end_date }: Period): number => {
  let sum = 0
  for (const [day, count] of of) if (day >= start_date && day <= end_date) sum += count
  return sum
}

export const statRoutes = [
  aMomentAgo(longRead(call.readActivity, ofOneState(readActivity))),
  aMomentAgo(longRead(call.readReferenceStats, ofOneState(readReferenceStats))),
  aMomentAgo(file(call.exportReferenceStats, exportReferenceStats)),
  aMomentAgo(longRead(call.readReaderStats, ofOneState(readReaderStats))),
  aMomentAgo(longRead(call.listReaderRows, listReaderRows)),
  aMomentAgo(longRead(call.readLoanStats, ofOneState(readLoanStats))),
  aMomentAgo(longRead(call.readOutNow, readOutNow)),
]
