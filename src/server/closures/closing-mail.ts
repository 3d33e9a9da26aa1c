import { sql } from 'kysely'

import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { ClosedDays } from '../../domain/open-days.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import { hasAddress } from '../writing/queue-mail.ts'

export const closingNotice = 'closing_notice'

type Moved = {
  id: number
  reference_name: string
  copy_barcode: string
  from: CalendarDay
  to: CalendarDay
}

/** Set aside, and until when it now waits. */
type Kept = { id: number; reference_name: string; from: CalendarDay; to: CalendarDay }

type ClosingRecipient = {
  id: number
  matricule: string
  lastname: string
  firstname: string
  loans: Moved[]
  kept: Kept[]
}

/** Whose loans or shelf deadlines an act has moved and who can be written to, by their number. */
export async function closingRecipients(
  trx: Trx,
  act: number,
  { after, most }: { after: number; most: number },
): Promise<(ClosingRecipient & { email: string; sites: number[] })[]> {
  const { rows } = await sql<ClosingRecipient & { email: string; sites: number[] }>`
    with moved as materialized (
      select j.entity, j.entity_id, j.before from audit_journal j
      where j.act = ${act} and j.action in ('loan.move_due', 'reservations.move_deadline')),
    lent as materialized (
      select l.beneficiary, l.site, l.id, r.name as reference_name, c.bar_code as copy_barcode,
        moved.before ->> 'end_date' as was, l.end_date as becomes
      from moved join loanings l on moved.entity = 'loanings' and l.id = moved.entity_id and l.status = 'in_progress'
        join copies c on c.id = l.copy join "references" r on r.id = c.reference),
    kept as materialized (
      select v.beneficiary_id as beneficiary, v.site, v.id, r.name as reference_name,
        moved.before ->> 'pickup_until' as was, v.pickup_until as becomes
      from moved join reservations v on moved.entity = 'reservations' and v.id = moved.entity_id and ${isActive}
        join "references" r on r.id = v.reference_id
      where v.pickup_until is not null)
    select b.id, b.matricule, b.lastname, b.firstname, b.email,
      array(select site from lent where beneficiary = b.id union select site from kept where beneficiary = b.id) as sites,
      coalesce((select json_agg(json_build_object('id', id, 'reference_name', reference_name, 'copy_barcode', copy_barcode,
        'from', was, 'to', becomes) order by becomes, id) from lent where beneficiary = b.id), '[]') as loans,
      coalesce((select json_agg(json_build_object('id', id, 'reference_name', reference_name, 'from', was, 'to', becomes)
        order by becomes, id) from kept where beneficiary = b.id), '[]') as kept
    from beneficiaries b
    where b.id > ${after} and b.deleted_at is null and ${hasAddress}
      and b.id in (select beneficiary from lent union select beneficiary from kept)
    order by b.id limit ${most}`.execute(trx)
  return rows
}

/** What the template is written with, with days as people read them. */
export const noticeVariables = (
  { matricule, lastname, firstname, loans, kept }: ClosingRecipient,
  closures: readonly (ClosedDays & { label: string })[],
  today: CalendarDay,
) => ({
  beneficiary: { matricule, lastname, firstname },
  today: frenchDay(today),
  count: loans.length,
  closures: closures.map(({ label, first_day, last_day }) => ({
    label,
    first_day: frenchDay(first_day),
    last_day: frenchDay(last_day),
  })),
  loans: loans.map(({ from, to, ...loan }) => ({
    ...loan,
    old_date: frenchDay(from),
    end_date: frenchDay(to),
  })),
  kept_count: kept.length,
  kept: kept.map(({ from, to, ...one }) => ({ ...one, old_date: frenchDay(from), until: frenchDay(to) })),
})
