import { sql } from 'kysely'

import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { ClosedDays } from '../../domain/open-days.ts'
import type { Trx } from '../db/handles.ts'
import { hasAddress } from '../writing/has-address.ts'

export const closingNotice = 'closing_notice'

type Moved = {
  id: number
  reference_name: string
  copy_barcode: string
  from: CalendarDay
  to: CalendarDay
}

type ClosingRecipient = {
  id: number
  matricule: string
  lastname: string
  firstname: string
  loans: Moved[]
}

/** Whose loans an act has moved and who can be written to, by their number. */
export async function closingRecipients(
  trx: Trx,
  act: number,
  { after, most }: { after: number; most: number },
): Promise<(ClosingRecipient & { email: string; sites: number[] })[]> {
  const { rows } = await sql<ClosingRecipient & { email: string; sites: number[] }>`
    select b.id, b.matricule, b.lastname, b.firstname, b.email, array_agg(distinct l.site) as sites,
      json_agg(json_build_object('id', l.id, 'reference_name', r.name, 'copy_barcode', c.bar_code,
        'from', j.before ->> 'end_date', 'to', l.end_date) order by l.end_date, l.id) as loans
    from audit_journal j join loanings l on l.id = j.entity_id and l.status = 'in_progress'
      join beneficiaries b on b.id = l.beneficiary and b.deleted_at is null
      join copies c on c.id = l.copy join "references" r on r.id = c.reference
    where j.act = ${act} and j.entity = 'loanings' and j.action = 'loan.move_due' and b.id > ${after} and ${hasAddress}
    group by b.id order by b.id limit ${most}`.execute(trx)
  return rows
}

/** What the template is written with, with days as people read them. */
export const noticeVariables = (
  { matricule, lastname, firstname, loans }: ClosingRecipient,
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
})
