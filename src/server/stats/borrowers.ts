import { type RawBuilder, sql } from 'kysely'

import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { rowsAtOnce } from '../db/lists/planned-cost.ts'
import { packIds, unpackIds } from '../db/lists/sort-numbers.ts'
import { readerName } from '../library-facts/person-names.ts'
import { beneficiariesByName } from '../library-facts/rankings.ts'
import {
  readerElsewhere,
  readerForgotten,
  readerOpen,
  type Visibility,
  visibleLoanSites,
} from '../visibility/visibility.ts'
import type { CountedRows } from './counted-rows.ts'
import { slicesOfPeriod } from './in-slices.ts'

/** Who borrowed in a period (x), by their first loan (l); `tellsHome`: whether the rows say by themselves where they live. */
export function borrowerRows({ period, visibility, timezone }: CountedIn, tellsHome: boolean): CountedRows {
  const named = (name: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
    mayName(visibility, tellsHome)
      ? sql`case when b.deleted_at is null and ${readerOpen(visibility)} then ${name} else ${otherwise} end`
      : otherwise
  return {
    from: async (db) =>
      (await borrowersIn(db, { period, visibility, timezone })).map(
        (some) => sql`${some} x join loanings l on l.id = x.loaning left join beneficiaries b on b.id = x.id`,
      ),
    kind: 'reader',
    id: named(sql`b.id`, sql`null::int`),
    label: sql`case when x.id is null or b.forgotten_at is not null then ${readerForgotten}::text
      when not ${readerOpen(visibility)} then ${readerElsewhere}::text
      else ${named(readerName, sql`'Lecteur'`)} end`,
    detail: visibility.rights.has('BENEFICIARY_ADDRESS')
      ? sql`concat_ws(' · ', x.contract_type, x.commune)`
      : sql`concat_ws(' · ', x.contract_type)`,
    order: sql`${named(sql`b.sort_name`, sql`null::text`)} nulls last, x.loaning`,
    place: { of: named(sql`b.id`, sql`null::int`), ranked: beneficiariesByName },
    key: sql`x.loaning`,
  }
}

/**
 * All who borrowed are named to whoever may list readers and know who borrows most; where rows say where they live, to
 * whoever may know that as well.
 */
const mayName = ({ rights }: Visibility, tellsHome: boolean): boolean =>
  rights.has('STATISTIC_LOANINGS_BENEFICIARY') &&
  rights.has('LIST_BENEFICIARIES') &&
  (!tellsHome || rights.has('BENEFICIARY_ADDRESS'))

export type CountedIn = { period: Period; visibility: Visibility; timezone: string }

/** Loans l that were made in a period. */
export const lentIn = ({ start_date, end_date }: Period, visibility: Visibility): RawBuilder<unknown> => sql`
  l.start_date between ${start_date}::date and ${end_date}::date and l.deleted_at is null
  and l.status <> 'cancelled' and ${visibleLoanSites(visibility)}`

/**
 * Who borrowed in a period, once each: `loaning` is the first loan there, `id` its reader, null where that was forgotten
 * (docs/decisions/0052-forgetting.md), and what figures tell readers by. Where some sites are asked for, once for each of them.
 * One relation, or several that have nobody in common where no statement may be long.
 */
export async function borrowersIn(db: Db, asked: CountedIn): Promise<readonly RawBuilder<unknown>[]> {
  const most = rowsAtOnce(db)
  if (most === null) {
    const all = { of: sql`${firstLoansIn(asked.period, asked.visibility)} g`, among: () => sql`true` }
    return [sql`(${whoBorrowed(all, asked)} union all ${whoWasForgotten(asked.period, asked)})`]
  }
  const slices = await slicesOfPeriod(db, asked.period)
  return [
    ...(await firstLoansInSlices(db, slices, asked.visibility, most)).map(
      (some) => sql`(${whoBorrowed(some, asked)})`,
    ),
    ...slices.map((slice) => sql`(${whoWasForgotten(slice, asked)})`),
  ]
}

/** Readers' first loans as a relation, and a condition that ids of these readers fulfil, which spares looking at others. */
type FirstLoans = {
  of: RawBuilder<unknown>
  among: (beneficiary: RawBuilder<unknown>) => RawBuilder<unknown>
}

const eachSite = ({ listed }: Visibility) => listed !== null

/** The first loan of each reader in a period, by its day since 2000. */
const firstLoansIn = (period: Period, visibility: Visibility) => sql`(
  select g.beneficiary, g.site, (g.first & 4294967295)::int as loaning, (g.first >> 32)::int as day
  from (
    select l.beneficiary, ${eachSite(visibility) ? sql`l.site` : sql`0 as site`},
      min(((l.start_date - date '2000-01-01')::bigint << 32) | l.id) as first
    from loanings l where ${lentIn(period, visibility)} and l.beneficiary is not null
    group by l.beneficiary ${eachSite(visibility) ? sql`, l.site` : sql``}
  ) g)`

type FirstLoan = { beneficiary: number; site: number; loaning: number; day: number }

/** The same of slices that follow each other, shared out by readers. */
async function firstLoansInSlices(
  db: Db,
  slices: readonly Period[],
  visibility: Visibility,
  most: number,
): Promise<FirstLoans[]> {
  const known = new Map<number, FirstLoan[]>()
  for (const slice of slices) {
    const { rows } = await sql<Record<keyof FirstLoan, Buffer>>`
      select ${packIds(sql`g.beneficiary`)} as beneficiary, ${packIds(sql`g.site`)} as site,
        ${packIds(sql`g.loaning`)} as loaning, ${packIds(sql`g.day`)} as day
      from ${firstLoansIn(slice, visibility)} g`.execute(db)
    const numbers = (of: keyof FirstLoan) => unpackIds(rows[0]?.[of] ?? Buffer.of())
    const [sites, loanings, days] = [numbers('site'), numbers('loaning'), numbers('day')]
    for (const [at, beneficiary] of numbers('beneficiary').entries()) {
      const first = { beneficiary, site: sites[at] ?? 0, loaning: loanings[at] ?? 0, day: days[at] ?? 0 }
      const theirs = known.get(beneficiary)
      if (!theirs) known.set(beneficiary, [first])
      else if (!theirs.some(({ site }) => site === first.site)) theirs.push(first)
    }
  }
  const firsts = [...Int32Array.from(known.keys()).sort()].flatMap((id) => known.get(id) ?? [])
  const parts: FirstLoans[] = []
  for (let at = 0; at < firsts.length; at += most) parts.push(toldAs(firsts.slice(at, at + most)))
  return parts
}

function toldAs(firsts: readonly FirstLoan[]): FirstLoans {
  const numbers = (of: keyof FirstLoan) => sql`${firsts.map((first) => first[of])}::int[]`
  const [least, most] = [firsts[0]?.beneficiary ?? 0, firsts.at(-1)?.beneficiary ?? 0]
  return {
    of: sql`unnest(${numbers('beneficiary')}, ${numbers('site')}, ${numbers('loaning')}, ${numbers('day')})
      as g(beneficiary, site, loaning, day)`,
    among: (beneficiary) => sql`${beneficiary} between ${least} and ${most}`,
  }
}

const isBefore = (day: RawBuilder<unknown>, { start_date }: Period) =>
  sql`coalesce(${day} < ${start_date}::date, true)`

const previousOf = (visibility: Visibility) =>
  eachSite(visibility) ? sql`k.previous_here_on` : sql`k.previous_on`

function whoBorrowed(
  { of, among }: FirstLoans,
  { period, visibility, timezone }: CountedIn,
): RawBuilder<unknown> {
  // Joined as a whole, because looking each reader up took longer than the rest of a year.
  const lastCut = eachSite(visibility)
    ? sql`last_cut_loans c on c.beneficiary = f.beneficiary and c.site = f.site and ${among(sql`c.beneficiary`)}`
    : sql`(select beneficiary, max(day) as day from last_cut_loans where ${among(sql`beneficiary`)} group by 1) c
        on c.beneficiary = f.beneficiary`
  return sql`
    select f.loaning, b.id, b.contract_type, b.agency_id, b.commune, b.kind,
      date_trunc('month', b.created_at at time zone ${timezone})::date as registered_on
    from (select g.beneficiary, g.site, g.loaning, date '2000-01-01' + g.day as day from ${of}) f
      join beneficiaries b on b.id = f.beneficiary and ${among(sql`b.id`)}
      left join cut_loans k on k.loaning = f.loaning
      left join ${lastCut} and k.loaning is null
    where case when k.loaning is not null then ${isBefore(previousOf(visibility), period)}
      else c.day > f.day or ${isBefore(sql`c.day`, period)} end`
}

/** Loans of some days of the period whose readers are known no more. */
const whoWasForgotten = (days: Period, { period, visibility }: CountedIn) => sql`
  select l.id as loaning, null::int as id, k.contract_type, k.agency_id, k.commune, k.kind, k.registered_on
  from loanings l join cut_loans k on k.loaning = l.id
  where ${lentIn(days, visibility)} and l.beneficiary is null and ${isBefore(previousOf(visibility), period)}`
