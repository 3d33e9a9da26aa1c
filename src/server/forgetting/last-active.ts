import { sql } from 'kysely'

/** The last day on which the reader of a loan l came for it: lent, extended or returned. */
export const activeOn = sql`greatest(l.start_date, l.return_date,
  (select max(r.renewed_on) from loan_renewals r where r.loaning = l.id))`

/** The last day of a reader b, by what is linked still and by what was cut; a loan that was cancelled never was. */
export const lastActiveOn = sql`greatest(
  (select max(${activeOn}) from loanings l
    where l.beneficiary = b.id and l.status <> 'cancelled' and l.deleted_at is null),
  (select max(c.active_on) from last_cut_loans c where c.beneficiary = b.id))`
