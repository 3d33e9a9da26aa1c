import { type RawBuilder, sql } from 'kysely'

import { inactiveReaders } from '../../contract/personal-data.ts'
import { plusMonths } from '../../domain/calendar-day.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import { oneRow } from '../db/one-row.ts'
import { type Source, source } from '../db/lists/source.ts'
import type { Exchange } from '../http/exchange.ts'
import { visibleReaders } from '../visibility/visibility.ts'

/** The last day on which the reader of a loan l came for it: lent, extended or returned. */
export const activeOn = sql`greatest(l.start_date, l.return_date,
  (select max(r.renewed_on) from loan_renewals r where r.loaning = l.id))`

/** The last day of a reader b, by what is linked still and by what was cut; a loan that was cancelled never was. */
const lastActiveOn = sql`greatest(
  (select max(${activeOn}) from loanings l
    where l.beneficiary = b.id and l.status <> 'cancelled' and l.deleted_at is null),
  (select max(c.active_on) from last_cut_loans c where c.beneficiary = b.id))`

const hasOpenLoan = sql`exists (select from loanings l where l.beneficiary = b.id and l.status = 'in_progress' and l.deleted_at is null)`
const waits = sql`exists (select from reservations v where v.beneficiary_id = b.id and ${isActive})`
const isSettled = sql`(coalesce(b.wallet_amount, 0) = 0)`

/** Readers b who may be let go: persons who neither borrowed, extended nor returned for as long as the library says, and wait for nothing. */
function isInactive({ parameters, today }: Pick<Exchange, 'parameters' | 'today'>): RawBuilder<unknown> {
  const months = parameters.number('retention_inactive_months')
  if (months === 0) return sql`false`
  const since = plusMonths(today, -months)
  return sql`(b.deleted_at is null and b.kind = 'person'
    and b.created_at < ${since}::date::timestamp at time zone ${parameters.get('timezone')}
    and not ${hasOpenLoan} and not ${waits}
    and coalesce(${lastActiveOn} < ${since}::date, true))`
}

export const inactiveRows = (exchange: Exchange): Source<typeof inactiveReaders> =>
  source(inactiveReaders, {
    from: sql`beneficiaries b left join sites s on s.id = b.agency_id`,
    where: isInactive(exchange),
    seen: visibleReaders(exchange.visibility),
    id: sql`b.id`,
    columns: {
      matricule: sql`b.matricule`,
      name: sql`trim(b.firstname || ' ' || b.lastname)`,
      contract_type: sql`b.contract_type`,
      agency: sql`s.name`,
      exit_date: sql`b.exit_date`,
      registered_on: sql`(b.created_at at time zone ${exchange.parameters.get('timezone')})::date`,
      last_active_on: lastActiveOn,
      wallet_amount: sql`b.wallet_amount`,
      is_settled: isSettled,
    },
    filters: { name: { test: ({ value }) => everyWord(sql`b.search`, value) } },
    sorts: {
      name: sql`b.sort_name`,
      last_active_on: { nullable: lastActiveOn },
      exit_date: { nullable: sql`b.exit_date` },
    },
  })

/** With their loans, whose returns may be taken back. Read after, because this does not see what it waited for. */
export async function lockToErase(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`select from beneficiaries where id = any(${ids}::int[]) order by id for update`.execute(trx)
  await sql`select from loanings where beneficiary = any(${ids}::int[]) order by id for update`.execute(trx)
}

/** Of these, locked, those who may be erased at once still. */
export async function lockInactive(trx: Trx, ids: readonly number[], exchange: Exchange): Promise<number[]> {
  await lockToErase(trx, ids)
  const { rows } = await sql<{ id: number }>`
    select b.id from beneficiaries b
    where b.id = any(${ids}::int[]) and ${isInactive(exchange)} and ${isSettled} and ${visibleReaders(exchange.visibility)}
    order by b.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** What keeps a reader from being erased: so many loans in progress, so many reservations. */
export async function whatHolds(trx: Trx, id: number): Promise<{ loans: number; reservations: number }> {
  return oneRow(
    trx,
    sql`
    select (select count(*) from loanings l
        where l.beneficiary = ${id} and l.status = 'in_progress' and l.deleted_at is null)::int as loans,
      (select count(*) from reservations v where v.beneficiary_id = ${id} and ${isActive})::int as reservations`,
  )
}
