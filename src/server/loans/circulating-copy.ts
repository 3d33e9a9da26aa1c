import { type RawBuilder, sql } from 'kysely'

import type { CalendarUnit, CopyState, CopyStatus, DurationType } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/environment.ts'

/** A copy with all that lending it takes. Its row stays locked until the transaction ends: two counters cannot both take it. */
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
}

async function lockCopy(trx: Trx, condition: RawBuilder<unknown>): Promise<CirculatingCopy | null> {
  const { rows } = await sql<CirculatingCopy>`
    select c.id, c.bar_code, r.name, c.reference, c.status, c.state, c.site, c.type, coalesce(c.price, r.price) as price,
      c.cycle_type, c.cycle_value, c.deleted_at is not null as deleted,
      r.medium, m.duration, m.duration_type, m.end_day
    from copies c join "references" r on r.id = c.reference left join media m on m.id = r.medium
    where ${condition}
    order by c.deleted_at nulls first, c.id desc
    limit 1
    for update of c`.execute(trx)
  return rows[0] ?? null
}

export const lockCopyById = (trx: Trx, id: number) => lockCopy(trx, sql`c.id = ${id}`)

/** The copy that carries a bar code now, else the last withdrawn one that carried it. */
export const lockCopyByBarCode = (trx: Trx, bar_code: string) => lockCopy(trx, sql`c.bar_code = ${bar_code}`)

/** Who has a copy now: the facts of a conflict, for the person who settles it. */
export async function openLoanOf(trx: Trx, copy: number) {
  const { rows } = await sql<{
    id: number
    loan_key: string | null
    beneficiary: number
    beneficiary_info: string
    start_date: string
    end_date: string
    lent_at: string
    lent_by: string | null
    lent_device: string | null
  }>`
    select l.id, l.loan_key, l.beneficiary, b.matricule || ' - ' || b.lastname || ' ' || b.firstname as beneficiary_info,
      l.start_date, l.end_date, l.lent_at, u.username::text as lent_by, l.lent_device
    from loanings l join beneficiaries b on b.id = l.beneficiary left join users u on u.id = l.lent_by
    where l.copy = ${copy} and l.status = 'in_progress'`.execute(trx)
  return rows[0] ?? null
}

/** Reservations that still wait for a copy or its reference, first served first. */
export async function waitingReservations(trx: Trx, copy: { id: number; reference: number }) {
  const { rows } = await sql<{
    id: number
    beneficiary_id: number
    beneficiary_info: string
    copy_id: number | null
    start_date: string | null
    end_date: string | null
    queue_position: number | null
  }>`
    select v.id, v.beneficiary_id, b.matricule || ' - ' || b.lastname || ' ' || b.firstname as beneficiary_info,
      v.copy_id, v.start_date, v.end_date, v.queue_position
    from reservations v join beneficiaries b on b.id = v.beneficiary_id
    where v.reference_id = ${copy.reference} and (v.copy_id is null or v.copy_id = ${copy.id})
      and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null
    order by v.start_date nulls first, v.queue_position nulls last, v.id`.execute(trx)
  return rows
}
