import { type RawBuilder, sql } from 'kysely'

import { writtenForms } from '../../domain/bar-code.ts'
import type { CalendarUnit, CopyState, CopyStatus, DurationType } from '../../domain/loan-rules.ts'
import type { Capacity } from '../../domain/reservation-rules.ts'
import { capacityOfTitle, isActive } from '../library-facts/active-reservation.ts'
import type { Db, Trx } from '../db/handles.ts'
import { versionOf } from '../catalogue/medium-queries.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import { accountName, readerInfo, readerName } from '../library-facts/person-names.ts'

/** A copy with all that lending needs; its row is locked, so that two counters cannot both lend it. */
export type CirculatingCopy = {
  id: number
  bar_code: string
  name: string
  reference: number
  status: CopyStatus
  state: CopyState
  site: number
  type: 'Location' | 'Vente'
  price: string
  cycle_type: CalendarUnit | null
  cycle_value: number | null
  deleted: boolean
  medium: number | null
  duration: number | null
  duration_type: DurationType | null
  end_day: number | null
  has_conditions: boolean
  conditions_label: string | null
  conditions_version: string | null
}

/** For a copy c with its reference r and medium m. */
export const copyFacts = sql<CirculatingCopy>`
  c.id, c.bar_code, r.name, c.reference, c.status, c.state, c.site, c.type, coalesce(c.price, r.price) as price,
  c.cycle_type, c.cycle_value, c.deleted_at is not null as deleted,
  r.medium, m.duration, m.duration_type, m.end_day,
  coalesce(m.loaning_conditions_enabled, false) as has_conditions,
  m.loaning_conditions_label as conditions_label, ${versionOf(sql`m.loaning_conditions_file`)} as conditions_version`

/** Locks the copy of a condition. */
const lock = (condition: RawBuilder<unknown>) => sql<CirculatingCopy>`
  select ${copyFacts}
  from copies c join "references" r on r.id = c.reference left join media m on m.id = r.medium
  where ${condition}
  for update of c`

/** The same, sent with the next statement, which sees what was committed before the lock. */
async function lockAhead(
  trx: Trx,
  condition: RawBuilder<unknown>,
): Promise<{ copy(): Promise<CirculatingCopy | null> }> {
  const { answer } = await ahead(trx, lock(condition))
  return { copy: async () => (await answer()).rows[0] ?? null }
}

async function lockCopy(trx: Trx, condition: RawBuilder<unknown>): Promise<CirculatingCopy | null> {
  const { rows } = await lock(condition).execute(trx)
  return rows[0] ?? null
}

export const lockCopyById = (trx: Trx, id: number) => lockCopy(trx, sql`c.id = ${id}`)

/** A code as it was read, then the other ways in which it may have been written down. */
export const formsOf = (code: string): string[] => [...new Set([code, ...writtenForms(code)])]

export const carrying = (code: string) => sql`c.bar_code = any(${formsOf(code)}::text[])`

/** Of copies that carry a code, the one that is not withdrawn, else the last that was. */
export const firstCarrying = (code: string) => sql`
  order by c.deleted_at nulls first, array_position(${formsOf(code)}::text[], c.bar_code), c.id desc limit 1`

const firstCopyCarrying = (code: string) => sql`${carrying(code)} ${firstCarrying(code)}`

/** The copy that carries a bar code, else the last withdrawn one that did. */
export const lockCopyByBarCode = (trx: Trx, bar_code: string) => lockCopy(trx, firstCopyCarrying(bar_code))
export const lockCopyByBarCodeAhead = (trx: Trx, bar_code: string) =>
  lockAhead(trx, firstCopyCarrying(bar_code))

export const copyByBarCode = (bar_code: string) =>
  sql`(select c.id from copies c where ${firstCopyCarrying(bar_code)})`

export const lockCopyOfLoanAhead = (trx: Trx, id: number) =>
  lockAhead(trx, sql`c.id = (select l.copy from loanings l where l.id = ${id} and l.deleted_at is null)`)

export type OpenLoan = {
  id: number
  site: number
  agency_id: number | null
  loan_key: string | null
  beneficiary: number
  beneficiary_info: string
  beneficiary_name: string
  start_date: string
  end_date: string
  lent_at: string
  lent_by: string | null
  lent_device: string | null
}

export async function openLoanOf(trx: Trx, copy: number): Promise<OpenLoan | null> {
  const { rows } = await sql<OpenLoan>`
    select l.id, l.site, b.agency_id, l.loan_key, l.beneficiary, ${readerInfo} as beneficiary_info, ${readerName} as beneficiary_name,
      l.start_date, l.end_date, l.lent_at, ${accountName('u')} as lent_by, l.lent_device
    from loanings l join beneficiaries b on b.id = l.beneficiary left join users u on u.id = l.lent_by
    where l.copy = ${copy} and l.status = 'in_progress'`.execute(trx)
  return rows[0] ?? null
}

export type WaitingReservation = {
  id: number
  site: number | null
  site_name: string | null
  agency_id: number | null
  beneficiary_id: number
  beneficiary_info: string
  beneficiary_name: string
  copy_id: number | null
  set_aside_copy: number | null
  start_date: string | null
  end_date: string | null
  queue_position: number | null
}

/** Reservations of the title of a copy c, first served first; which of them it may serve is for the rules to say. */
export const waitingReservations = sql<WaitingReservation>`
  select v.id, v.site, (select s.name from sites s where s.id = v.site) as site_name, b.agency_id, v.beneficiary_id, ${readerInfo} as beneficiary_info, ${readerName} as beneficiary_name,
    v.copy_id, v.set_aside_copy, v.start_date, v.end_date, v.queue_position
  from reservations v join beneficiaries b on b.id = v.beneficiary_id
  where v.reference_id = c.reference and ${isActive}
  order by v.start_date nulls first, v.queue_position nulls first, v.id`

/** The same of one copy. */
export async function reservationsOfCopy(db: Db | Trx, copy: number): Promise<WaitingReservation[]> {
  const { rows } = await sql<WaitingReservation>`
    select w.* from copies c cross join lateral (${waitingReservations}) w where c.id = ${copy}`.execute(db)
  return rows
}

/** Its title's reservations beside what the title can give. */
export async function demandOnCopy(
  db: Db | Trx,
  copy: number,
): Promise<{ waiting: WaitingReservation[]; capacity: Capacity | null }> {
  const { rows } = await sql<{ waiting: WaitingReservation[]; capacity: Capacity | null }>`
    select coalesce((select json_agg(w) from (${waitingReservations}) w), '[]') as waiting,
      ${capacityOfTitle} as capacity
    from copies c where c.id = ${copy}`.execute(db)
  return rows[0] ?? { waiting: [], capacity: null }
}
