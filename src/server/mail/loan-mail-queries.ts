import { type RawBuilder, sql } from 'kysely'

import { type CalendarDay, daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { isReminderCode } from '../../domain/mail-occasions.ts'
import { versionOf } from '../catalogue/medium-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import { hasAddress } from '../writing/queue-mail.ts'

/** Someone to write to, with their loans, the first due first. */
export type LoanMailRecipient = {
  id: number
  matricule: string
  lastname: string
  firstname: string
  email: string | null
  agency_id: number | null
  sites: number[]
  loans: LoanInMail[]
}

type LoanInMail = {
  id: number
  reference_name: string
  copy_barcode: string
  medium: string | null
  category: string | null
  relative: string | null
  conditions: { label: string; version: string | null } | null
  start_date: CalendarDay
  end_date: CalendarDay
}

/** Loans of some sites (null: all), late or due on a day, of one beneficiary, or one loan. */
export type LoansToMail = {
  sites: readonly number[] | null
  lateOn?: CalendarDay | undefined
  dueOn?: CalendarDay
  beneficiary?: number
  loaning?: number
  /** Some loans in progress. */
  loanings?: readonly number[]
  /** But those of people who had such a mail, or its letter, on that day of the library's. */
  butOf?: { template: string; on: CalendarDay; timezone: string } | undefined
}

/** As they were when it was lent; those of now where nothing was kept of them. */
const conditionsOf = sql`
  case when l.conditions_given is not null
    then json_build_object('label', l.conditions_label, 'version', l.conditions_version)
  when m.loaning_conditions_enabled
    then json_build_object('label', m.loaning_conditions_label, 'version', ${versionOf(sql`m.loaning_conditions_file`)})
  end`

const from = sql`loanings l join beneficiaries b on b.id = l.beneficiary and b.deleted_at is null`

/** A reminder stands on the loan, by whatever way it came; a recap among the mails alone. */
const hadOne = (
  { template, on, timezone }: NonNullable<LoansToMail['butOf']>,
  sites: LoansToMail['sites'],
) =>
  isReminderCode(template)
    ? sql`exists (select from loanings had where had.beneficiary = l.beneficiary
        and had.reminded_on = ${on}::date and ${atSites(sql`had.site`, sites)})`
    : sql`exists (select from mail_outbox o where o.beneficiary = l.beneficiary and o.template = ${template}
        and o.status not in ('failed', 'stopped') and (o.created_at at time zone ${timezone})::date = ${on}::date
        and ${sites === null ? sql`true` : sql`o.sites && ${[...sites]}::int[]`})`

function conditions({
  sites,
  lateOn,
  dueOn,
  beneficiary,
  loaning,
  loanings,
  butOf,
}: LoansToMail): RawBuilder<unknown> {
  const terms = [sql`l.deleted_at is null`, atSites(sql`l.site`, sites)]
  // A mail may be about one loan in any state, but reminders are about what people still hold.
  if (loaning === undefined) terms.push(sql`l.status = 'in_progress'`)
  else terms.push(sql`l.id = ${loaning}`)
  if (lateOn !== undefined) terms.push(sql`l.end_date < ${lateOn}`)
  if (dueOn !== undefined) terms.push(sql`l.end_date = ${dueOn}`)
  if (loanings !== undefined) terms.push(sql`l.id = any(${[...loanings]}::int[])`)
  if (beneficiary !== undefined) terms.push(sql`l.beneficiary = ${beneficiary}`)
  if (butOf !== undefined) terms.push(sql`not ${hadOne(butOf, sites)}`)
  return sql.join(terms, sql` and `)
}

type Counts = { count: number; without_address: number; had_one_today: number }

/** How many people would be written to, how many have no address to be written to at, and how many are left out. */
export async function countLoanMailRecipients(
  db: Db | Trx,
  { butOf, ...which }: LoansToMail,
): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(distinct id) filter (where reachable and not had)::integer as count,
      count(distinct id) filter (where not reachable and not had)::integer as without_address,
      count(distinct id) filter (where had)::integer as had_one_today
    from (select b.id, ${hasAddress} as reachable, ${butOf ? hadOne(butOf, which.sites) : sql`false`} as had
      from ${from} where ${conditions(which)}) people`.execute(db)
  return rows[0] ?? { count: 0, without_address: 0, had_one_today: 0 }
}

type Wanted = { only: 'with-address' | 'everyone'; after?: number; most?: number | null }

/** One row a person; `email` is null where there is none to write to. */
export async function listLoanMailRecipients(
  db: Db | Trx,
  which: LoansToMail,
  { only, after = 0, most = null }: Wanted,
): Promise<LoanMailRecipient[]> {
  const { rows } = await sql<LoanMailRecipient>`
    select b.id, b.matricule, b.lastname, b.firstname, b.agency_id, array_agg(distinct l.site) as sites, case when ${hasAddress} then b.email end as email,
      json_agg(json_build_object('id', l.id, 'reference_name', r.name, 'copy_barcode', c.bar_code, 'medium', m.name,
        'category', cat.name, 'relative', rel.firstname || ' ' || rel.lastname, 'start_date', l.start_date,
        'end_date', l.end_date, 'conditions', ${conditionsOf}) order by l.end_date, l.id) as loans
    from ${from}
    join copies c on c.id = l.copy
    join "references" r on r.id = c.reference
    left join media m on m.id = r.medium
    left join categories cat on cat.id = r.category
    left join relatives rel on rel.id = l.relative
    where ${conditions(which)} and b.id > ${after} and ${only === 'with-address' ? hasAddress : sql`true`}
    group by b.id
    order by b.id
    limit ${most}`.execute(db)
  return rows
}

/** The variables of templates about loans, with days as people read them (dd/MM/yyyy). */
export function loanMailVariables(
  { matricule, lastname, firstname, loans }: LoanMailRecipient,
  today: CalendarDay,
  publicUrl: string,
) {
  return {
    beneficiary: { matricule, lastname, firstname },
    today: frenchDay(today),
    count: loans.length,
    loans: loans.map((loan) => ({
      ...loan,
      conditions: loan.conditions && {
        label: loan.conditions.label,
        link: loan.conditions.version && `${publicUrl}/api/conditions/${loan.conditions.version}`,
      },
      start_date: frenchDay(loan.start_date),
      end_date: frenchDay(loan.end_date),
      days_late: Math.max(0, daysBetween(loan.end_date, today)),
    })),
  }
}
