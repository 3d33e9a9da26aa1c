import { type RawBuilder, sql } from 'kysely'

import { neverCame } from '../../domain/copies-out.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'
import type { Counted, ReportDimension } from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import { beneficiariesByName, referencesByName } from '../db/rankings.ts'
import type { SortNumber } from '../db/remembered-order.ts'
import { readerName } from '../db/person-names.ts'
import {
  copiesInSight,
  loanSitesInSight,
  readerElsewhere,
  readerForgotten,
  readerOpen,
  type Sight,
} from '../sight/sight.ts'
import { borrowersIn, type CountedIn, lentIn } from '../stats/borrowers.ts'
import { slicesOfPeriod, slicesOfTable } from '../stats/in-slices.ts'

/**
 * What a table counts: where from, as a whole or as slices that have nothing in common, what each of them is told apart by, and
 * what it is called one by one.
 */
export type CountedRows = {
  from: (db: Db) => Promise<readonly RawBuilder<unknown>[]>
  parts: Partial<Record<ReportDimension, RawBuilder<unknown>>>
  kind: 'copy' | 'loan' | 'reader'
  id: RawBuilder<unknown>
  label: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** The same order for rows that are sorted in memory: by this, then by the key, which no two rows have. */
  place: SortNumber
  key: RawBuilder<unknown>
  /** The same, added up already, which tests hold to what is counted one by one. */
  tallied?: { from: RawBuilder<unknown>; parts: CountedRows['parts']; count: RawBuilder<unknown> }
}

/** `tellsHome`: whether the rows say by themselves where their readers live. */
type ReportCounted = CountedIn & { tellsHome?: boolean }

/** Empty is what is not known. */
const known = (value: RawBuilder<unknown>) => sql`coalesce(${value}::text, '')`

const dayOf = (instant: RawBuilder<unknown>, timezone: string) =>
  sql`(${instant} at time zone ${timezone})::date`

/** The day on which a copy c came into the stock, and the day on which it left. */
const came = (timezone: string) => sql`coalesce(c.buy_date, ${dayOf(sql`c.created_at`, timezone)})`
const left = (timezone: string) => sql`coalesce(c.withdrawn_on, ${dayOf(sql`c.deleted_at`, timezone)})`

/** What an import brought by mistake was taken back, and is neither an acquisition nor an elimination. */
export const wasThere = sql`c.withdrawal_reason is distinct from ${neverCame}`

function copiesWhere(condition: RawBuilder<unknown>, sight: Sight): CountedRows {
  return {
    from: async (db) =>
      (await slicesOfTable(db, 'copies', sql`c.id`)).map(
        (slice) => sql`copies c join "references" r on r.id = c.reference
          where ${copiesInSight(sight)} and ${wasThere} and ${condition} and ${slice}`,
      ),
    parts: {
      medium: known(sql`r.medium`),
      audience: known(sql`r.audience`),
      reason: known(sql`c.withdrawal_reason`),
    },
    kind: 'copy',
    id: sql`c.id`,
    label: sql`r.name`,
    detail: sql`c.bar_code`,
    order: sql`r.sort_name, c.id`,
    place: { of: sql`r.id`, ranked: referencesByName },
    key: sql`c.id`,
  }
}

/** In the stock at the end of a day. */
export const heldOn = (
  day: string,
  { sight, timezone }: Pick<CountedIn, 'sight' | 'timezone'>,
): CountedRows =>
  copiesWhere(
    sql`${came(timezone)} <= ${day}::date and coalesce(${left(timezone)} > ${day}::date, true)`,
    sight,
  )

const isWithin = (day: RawBuilder<unknown>, { start_date, end_date }: Period) =>
  sql`${day} between ${start_date}::date and ${end_date}::date`

export const countedRows: Record<Counted, (asked: ReportCounted) => CountedRows> = {
  held: (asked) => heldOn(asked.period.end_date, asked),

  acquired: ({ period, sight, timezone }) => copiesWhere(isWithin(came(timezone), period), sight),

  withdrawn: ({ period, sight, timezone }) => copiesWhere(isWithin(left(timezone), period), sight),

  borrowers: ({ period, sight, timezone, tellsHome = false }) => {
    const named = (name: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
      mayName(sight, tellsHome)
        ? sql`case when b.deleted_at is null and ${readerOpen(sight)} then ${name} else ${otherwise} end`
        : otherwise
    return {
      from: async (db) =>
        (await borrowersIn(db, { period, sight, timezone })).map(
          (some) =>
            sql`${some} x join loanings l on l.id = x.loaning left join beneficiaries b on b.id = x.id`,
        ),
      parts: {
        age: known(sql`l.age_band`),
        kind: known(sql`x.kind`),
        commune: known(sql`x.commune`),
        contract: known(sql`x.contract_type`),
      },
      kind: 'reader',
      id: named(sql`b.id`, sql`null::int`),
      label: sql`case when x.id is null or b.forgotten_at is not null then ${readerForgotten}::text
      when not ${readerOpen(sight)} then ${readerElsewhere}::text
      else ${named(readerName, sql`'Lecteur'`)} end`,
      detail: sight.rights.has('BENEFICIARY_ADDRESS')
        ? sql`concat_ws(' · ', x.contract_type, x.commune)`
        : sql`concat_ws(' · ', x.contract_type)`,
      order: sql`${named(sql`b.sort_name`, sql`null::text`)} nulls last, x.loaning`,
      place: { of: named(sql`b.id`, sql`null::int`), ranked: beneficiariesByName },
      key: sql`x.loaning`,
    }
  },

  loans: ({ period, sight }) => ({
    from: async (db) =>
      (await slicesOfPeriod(db, period)).map(
        (slice) => sql`loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
          where ${lentIn(slice, sight)}`,
      ),
    parts: { medium: known(sql`r.medium`), audience: known(sql`l.audience`), age: known(sql`l.age_band`) },
    kind: 'loan',
    id: sql`l.id`,
    label: sql`r.name`,
    detail: sql`to_char(l.start_date, 'DD/MM/YYYY') || ' · ' || c.bar_code`,
    order: sql`l.start_date, l.id`,
    place: sql`(l.start_date - date '2000-01-01')`,
    key: sql`l.id`,
    tallied: {
      from: loansOfMonths(period, sight),
      parts: { medium: known(sql`l.medium`), audience: known(sql`l.audience`), age: known(sql`l.age_band`) },
      count: sql`l.loans`,
    },
  }),
}

/** Loans of a year's months; those that begin after its last day, which is today in a year that is not over, are taken away. */
const loansOfMonths = ({ start_date, end_date }: Period, sight: Sight) => sql`(
  select l.medium, l.audience, l.age_band, l.loans from public_tallies l
  where l.month between ${start_date}::date and ${end_date}::date and ${loanSitesInSight(sight)}
  union all
  select r.medium, l.audience, l.age_band, -1 from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
  where ${lentIn({ start_date: plusDays(end_date, 1), end_date: monthOf(end_date).end_date }, sight)}) l`

/**
 * All who borrowed are named to whoever may list readers and know who borrows most; where rows say where they live, to
 * whoever may know that as well.
 */
const mayName = ({ rights }: Sight, tellsHome: boolean): boolean =>
  rights.has('STATISTIC_LOANINGS_BENEFICIARY') &&
  rights.has('LIST_BENEFICIARIES') &&
  (!tellsHome || rights.has('BENEFICIARY_ADDRESS'))
