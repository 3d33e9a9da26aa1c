import { sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Db, Trx } from '../db/handles.ts'
import { activeOn } from './inactive-readers.ts'

type CutAsked = {
  /** Their loans that ended before this day are cut; null: all that have ended. */
  endedBefore: CalendarDay | null
  today: CalendarDay
  timezone: string
}

export const hasEnded = ({ endedBefore, timezone }: CutAsked) =>
  endedBefore === null
    ? sql`l.status <> 'in_progress'`
    : sql`(l.status <> 'in_progress'
        and coalesce(l.return_date, (l.lent_at at time zone ${timezone})::date) < ${endedBefore}::date)`

/** The next people, by their ids, who have loans to be cut. */
export async function peopleToCut(
  trx: Trx,
  { after, atMost }: { after: number; atMost: number },
  asked: CutAsked,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from beneficiaries b
    where b.id > ${after} and exists (select from loanings l where l.beneficiary = b.id and ${hasEnded(asked)})
    order by b.id limit ${atMost}`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Cuts the ended loans of some people from them. What figures count is kept with each loan: who its reader was no more,
 * but what kind of reader, and on which day they had borrowed before, so that a reader is counted once in any period.
 */
export async function cutLoansOf(trx: Trx, people: readonly number[], asked: CutAsked): Promise<number[]> {
  await sql`select from beneficiaries where id = any(${people}::int[]) order by id for no key update`.execute(
    trx,
  )
  const { rows } = await sql<{ id: number }>`
    select l.id from loanings l where l.beneficiary = any(${people}::int[]) and ${hasEnded(asked)}
    order by l.id for update`.execute(trx)
  const loans = rows.map(({ id }) => id)
  await noteDaysBefore(trx, people)
  await keepWhatFiguresNeed(trx, loans, asked)
  await sql`
    insert into last_cut_loans (beneficiary, site, day, active_on)
    select l.beneficiary, l.site, max(l.start_date), max(${activeOn}) from loanings l
    where l.id = any(${loans}::int[]) and l.deleted_at is null and l.status <> 'cancelled' group by 1, 2
    on conflict (beneficiary, site) do update set day = greatest(last_cut_loans.day, excluded.day),
      active_on = greatest(last_cut_loans.active_on, excluded.active_on)`.execute(trx)
  await sql`
    update loanings set beneficiary = null, relative = null, comment = '', return_comment = '', delay_comment = '',
      override_reason = null
    where id = any(${loans}::int[])`.execute(trx)
  await sql`delete from loan_reminders where loaning = any(${loans}::int[])`.execute(trx)
  return loans
}

/** For each loan of these people, once and for all, the day of the one before it, while all of them are still linked. */
const noteDaysBefore = (trx: Trx, people: readonly number[]) =>
  sql`
  insert into cut_loans (loaning, previous_on, previous_here_on)
  select k.id, greatest(k.before, max(c.day)), greatest(k.before_here, max(c.day) filter (where c.site = k.site))
  from (
    select l.id, l.beneficiary, l.site, l.start_date,
      lag(l.start_date) over (partition by l.beneficiary order by l.start_date, l.id) as before,
      lag(l.start_date) over (partition by l.beneficiary, l.site order by l.start_date, l.id) as before_here
    from loanings l
    where l.beneficiary = any(${people}::int[]) and l.deleted_at is null and l.status <> 'cancelled') k
  left join last_cut_loans c on c.beneficiary = k.beneficiary and c.day <= k.start_date
  group by k.id, k.before, k.before_here
  on conflict (loaning) do nothing`.execute(trx)

/** A month tells how long a reader had been there; a day would tell who. */
const keepWhatFiguresNeed = (trx: Trx, loans: readonly number[], { today, timezone }: CutAsked) =>
  sql`
  insert into cut_loans (loaning, cut_on, contract_type, agency_id, registered_on, commune, kind)
  select l.id, ${today}::date, b.contract_type, b.agency_id,
    date_trunc('month', b.created_at at time zone ${timezone})::date, b.commune, b.kind
  from loanings l join beneficiaries b on b.id = l.beneficiary where l.id = any(${loans}::int[])
  on conflict (loaning) do update set cut_on = excluded.cut_on, contract_type = excluded.contract_type,
    agency_id = excluded.agency_id, registered_on = excluded.registered_on, commune = excluded.commune, kind = excluded.kind`.execute(
    trx,
  )

/** Tells the engine how full these tables are: plans made while nothing was cut take minutes where much is. */
export const measureCuts = (db: Db | Trx) => sql`analyze cut_loans, last_cut_loans, loanings`.execute(db)
