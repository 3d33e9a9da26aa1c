import { type RawBuilder, sql } from 'kysely'

import { neverCame } from '../../domain/copies-out.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'
import type { Counted, ReportDimension } from '../../domain/yearly-report.ts'
import { readerName } from '../db/person-names.ts'
import {
  copiesInSight,
  loanSitesInSight,
  readerElsewhere,
  readerForgotten,
  readerOpen,
  type Sight,
} from '../sight/sight.ts'
import { borrowersIn, lentIn } from '../stats/borrowers.ts'

export type CountedIn = { period: Period; sight: Sight; timezone: string }

/** What a table counts: where from, what each of them is told apart by, and what it is called one by one. */
export type CountedRows = {
  from: RawBuilder<unknown>
  parts: Partial<Record<ReportDimension, RawBuilder<unknown>>>
  kind: 'copy' | 'loan' | 'reader'
  id: RawBuilder<unknown>
  label: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** The same, added up already, which tests hold to what is counted one by one. */
  tallied?: { from: RawBuilder<unknown>; parts: CountedRows['parts']; count: RawBuilder<unknown> }
}

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
    from: sql`copies c join "references" r on r.id = c.reference
      where ${copiesInSight(sight)} and ${wasThere} and ${condition}`,
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

export const countedRows: Record<Counted, (asked: CountedIn) => CountedRows> = {
  held: (asked) => heldOn(asked.period.end_date, asked),

  acquired: ({ period, sight, timezone }) => copiesWhere(isWithin(came(timezone), period), sight),

  withdrawn: ({ period, sight, timezone }) => copiesWhere(isWithin(left(timezone), period), sight),

  borrowers: ({ period, sight, timezone }) => ({
    from: sql`${borrowersIn(period, sight, timezone)} x join loanings l on l.id = x.loaning
      left join beneficiaries b on b.id = x.id`,
    parts: {
      age: known(sql`l.age_band`),
      kind: known(sql`x.kind`),
      commune: known(sql`x.commune`),
      contract: known(sql`x.contract_type`),
    },
    kind: 'reader',
    id: isNamed(sight, sql`b.id`, sql`null::int`),
    label: sql`case when x.id is null or b.forgotten_at is not null then ${readerForgotten}::text
      when not ${readerOpen(sight)} then ${readerElsewhere}::text
      else ${isNamed(sight, readerName, sql`'Lecteur'`)} end`,
    detail: sql`concat_ws(' · ', x.contract_type, x.commune)`,
    order: sql`${isNamed(sight, sql`b.sort_name`, sql`null::text`)} nulls last, x.loaning`,
  }),

  loans: ({ period, sight }) => ({
    from: sql`loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
      where ${lentIn(period, sight)}`,
    parts: { medium: known(sql`r.medium`), audience: known(sql`l.audience`), age: known(sql`l.age_band`) },
    kind: 'loan',
    id: sql`l.id`,
    label: sql`r.name`,
    detail: sql`to_char(l.start_date, 'DD/MM/YYYY') || ' · ' || c.bar_code`,
    order: sql`l.start_date, l.id`,
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

/** Who borrowed is named to whoever may know who borrows most, and only readers of open sites. */
const isNamed = (sight: Sight, named: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
  sight.rights.has('STATISTIC_LOANINGS_BENEFICIARY')
    ? sql`case when b.deleted_at is null and ${readerOpen(sight)} then ${named} else ${otherwise} end`
    : otherwise
