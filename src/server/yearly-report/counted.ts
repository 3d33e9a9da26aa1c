import { type RawBuilder, sql } from 'kysely'

import { plusDays } from '../../domain/calendar-day.ts'
import { neverCame } from '../../domain/copies-out.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'
import type { Counted, ReportDimension } from '../../domain/yearly-report.ts'
import { referencesByName } from '../library-facts/rankings.ts'
import { borrowerRows, type CountedIn, lentIn } from '../stats/borrowers.ts'
import { type CountedRows, known } from '../stats/counted-rows.ts'
import { slicesOfPeriod, slicesOfTable } from '../stats/in-slices.ts'
import { visibleCopies, visibleLoanSites, type Visibility } from '../visibility/visibility.ts'

/** What a table counts, and what each of it is told apart by. */
type ReportRows = CountedRows & {
  parts: Partial<Record<ReportDimension, RawBuilder<unknown>>>
  /** The same, added up already, which tests hold to what is counted one by one. */
  tallied?: { from: RawBuilder<unknown>; parts: ReportRows['parts']; count: RawBuilder<unknown> }
}

/** `tellsHome`: whether the rows say by themselves where their readers live. */
type ReportCounted = CountedIn & { tellsHome?: boolean }

const dayOf = (instant: RawBuilder<unknown>, timezone: string) =>
  sql`(${instant} at time zone ${timezone})::date`

/** The day on which a copy c came into the stock, and the day on which it left. */
const came = (timezone: string) => sql`coalesce(c.buy_date, ${dayOf(sql`c.created_at`, timezone)})`
const left = (timezone: string) => sql`coalesce(c.withdrawn_on, ${dayOf(sql`c.deleted_at`, timezone)})`

/** What an import brought by mistake was taken back, and is neither an acquisition nor an elimination. */
export const wasThere = sql`c.withdrawal_reason is distinct from ${neverCame}`

function copiesWhere(condition: RawBuilder<unknown>, visibility: Visibility): ReportRows {
  return {
    from: async (db) =>
      (await slicesOfTable(db, 'copies', sql`c.id`)).map(
        (slice) => sql`copies c join "references" r on r.id = c.reference
          where ${visibleCopies(visibility)} and ${wasThere} and ${condition} and ${slice}`,
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
  { visibility, timezone }: Pick<CountedIn, 'visibility' | 'timezone'>,
): ReportRows =>
  copiesWhere(
    sql`${came(timezone)} <= ${day}::date and coalesce(${left(timezone)} > ${day}::date, true)`,
    visibility,
  )

const isWithin = (day: RawBuilder<unknown>, { start_date, end_date }: Period) =>
  sql`${day} between ${start_date}::date and ${end_date}::date`

export const countedRows: Record<Counted, (asked: ReportCounted) => ReportRows> = {
  held: (asked) => heldOn(asked.period.end_date, asked),

  acquired: ({ period, visibility, timezone }) => copiesWhere(isWithin(came(timezone), period), visibility),

  withdrawn: ({ period, visibility, timezone }) => copiesWhere(isWithin(left(timezone), period), visibility),

  borrowers: ({ tellsHome = false, ...asked }) => ({
    ...borrowerRows(asked, tellsHome),
    parts: {
      age: known(sql`l.age_band`),
      kind: known(sql`x.kind`),
      commune: known(sql`x.commune`),
      contract: known(sql`x.contract_type`),
    },
  }),

  loans: ({ period, visibility }) => ({
    from: async (db) =>
      (await slicesOfPeriod(db, period)).map(
        (slice) => sql`loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
          where ${lentIn(slice, visibility)}`,
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
      from: loansOfMonths(period, visibility),
      parts: { medium: known(sql`l.medium`), audience: known(sql`l.audience`), age: known(sql`l.age_band`) },
      count: sql`l.loans`,
    },
  }),
}

/** Loans of a year's months; those that begin after its last day, which is today in a year that is not over, are taken away. */
const loansOfMonths = ({ start_date, end_date }: Period, visibility: Visibility) => sql`(
  select l.medium, l.audience, l.age_band, l.loans from public_tallies l
  where l.month between ${start_date}::date and ${end_date}::date and ${visibleLoanSites(visibility)}
  union all
  select r.medium, l.audience, l.age_band, -1 from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
  where ${lentIn({ start_date: plusDays(end_date, 1), end_date: monthOf(end_date).end_date }, visibility)}) l`
