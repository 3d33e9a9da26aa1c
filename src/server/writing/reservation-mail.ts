import { sql } from 'kysely'

import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { DurationType } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { estimatedAmount } from '../../domain/reservation-amount.ts'
import type { ReservationStatus } from '../../domain/reservation-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { reservationOpen, type Visibility } from '../visibility/visibility.ts'
import { hasAddress, queueMail } from './queue-mail.ts'

/** What a mail says of a reservation, and to whom. */
export type Reserved = {
  id: number
  beneficiary: number
  matricule: string
  lastname: string
  firstname: string
  /** Null where there is none to write to. */
  email: string | null
  agency_id: number | null
  site: number | null
  site_name: string | null
  status: ReservationStatus
  reference_name: string
  queue_position: number | null
  start_date: CalendarDay | null
  end_date: CalendarDay | null
  comment: string
  cycle_value: number | null
  price: string
  duration: number | null
  duration_type: DurationType | null
}

/** Those of readers who are still there; with a sight, what is elsewhere does not exist. */
export async function readReserved(
  db: Db | Trx,
  ids: readonly number[],
  visibility: Visibility | null,
): Promise<Reserved[]> {
  const { rows } = await sql<Reserved>`
    select v.id, v.beneficiary_id as beneficiary, b.matricule, b.lastname, b.firstname, b.agency_id,
      case when ${hasAddress} then b.email::text end as email, v.site, s.name as site_name, v.status,
      r.name as reference_name, v.queue_position, v.start_date, v.end_date, v.comment, v.cycle_value,
      coalesce(aside.price, c.price, r.price) as price, m.duration, m.duration_type
    from reservations v
    join beneficiaries b on b.id = v.beneficiary_id and b.deleted_at is null
    join "references" r on r.id = v.reference_id
    left join media m on m.id = r.medium
    left join copies c on c.id = v.copy_id
    left join copies aside on aside.id = v.set_aside_copy
    left join sites s on s.id = v.site
    where v.id = any(${[...ids]}::int[]) and v.deleted_at is null
      and ${visibility === null ? sql`true` : reservationOpen(visibility)}
    order by v.id`.execute(db)
  return rows
}

type Speaking = Pick<Exchange, 'today' | 'parameters'>

/** What was written with a decision is kept with the reservation; a comment of the call comes first. */
export function reservationVariables(
  reserved: Reserved,
  comment: string,
  { today, parameters }: Speaking,
): Record<string, unknown> {
  const { matricule, lastname, firstname, start_date, end_date, price } = reserved
  return {
    beneficiary: { matricule, lastname, firstname },
    today: frenchDay(today),
    reservation: {
      reference_name: reserved.reference_name,
      status: reserved.status,
      queue_position: reserved.queue_position,
      start_date: start_date && frenchDay(start_date),
      end_date: end_date && frenchDay(end_date),
      site: parameters.flag('multisite') ? reserved.site_name : null,
      amount: parameters.flag('enable_reservations_amount')
        ? frenchMoney(estimatedAmount(price, reserved, reserved))
        : null,
    },
    comment: comment === '' ? reserved.comment : comment,
  }
}

export const envelopeOfReservation = ({ beneficiary, site }: Reserved) => ({
  beneficiary,
  sites: site === null ? null : [site],
})

type Said = { template: string; comment: string }

/** Writes to whoever of them has an address, unless the library has switched that mail off. */
export async function queueReservationMails(
  trx: Trx,
  ids: readonly number[],
  { template, comment }: Said,
  exchange: Speaking & Pick<Exchange, 'now'>,
): Promise<void> {
  for (const reserved of await readReserved(trx, ids, null)) {
    if (reserved.email === null) continue
    const queued = await queueMail(trx, exchange, {
      ...envelopeOfReservation(reserved),
      template,
      to_address: reserved.email,
      variables: reservationVariables(reserved, comment, exchange),
    })
    if (queued.state === 'off') return
  }
}
