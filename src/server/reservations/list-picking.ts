import { collection } from '../../contract/list.ts'
import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { listPicking as listPickingCall, Picked } from '../../contract/reservations.ts'
import { planPicking } from '../../domain/picking.ts'
import type { Reservation } from '../../domain/reservation-rules.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { isSiteOpen, readerInfoWhere, readerNameWhere, reservationOpen } from '../visibility/visibility.ts'

type Asked = Reservation & {
  id: number
  reference_id: number
  site: number | null
  site_name: string | null
  beneficiary_info: string
  beneficiary_name: string
}
type Shelved = Pick<
  Picked,
  'bar_code' | 'reference_name' | 'medium' | 'image_path' | 'location' | 'call_number' | 'returned_on'
> & {
  id: number
  reference: number
  site: number
  site_name: string
}

/** What is asked for and stands on the shelves of a site, in the order of a walk along them. */
export async function listPicking(
  db: Db,
  { query }: VerbInput<typeof listPickingCall>,
  { visibility, site, today }: Exchange,
): Promise<Outcome<AnswerOf<typeof listPickingCall>>> {
  const at = query.site ?? site
  if (at !== null && !isSiteOpen(visibility, at)) return violation('site', 'Ce site n’existe pas.')
  const copies = await sql<Shelved>`
    select c.id, c.reference, c.site, st.name as site_name, c.bar_code, r.name as reference_name,
      (select m.name from media m where m.id = r.medium) as medium, ${coverPath} as image_path, loc.label as location,
      ${shelfMark} as call_number,
      (select max(l.return_date) from loanings l where l.copy = c.id) as returned_on
    from copies c join "references" r on r.id = c.reference join sites st on st.id = c.site left join locations loc on loc.id = c.location
    where c.status = 'Disponible' and c.type = 'Location' and c.deleted_at is null
      and c.reference in (select v.reference_id from reservations v where ${isActive} and v.set_aside_copy is null)
      and not exists (select from reservations v where ${isActive} and v.set_aside_copy = c.id)
    order by loc.label nulls last, ${shelfMark} nulls last, r.sort_name, c.id`.execute(db)
  const asked = await sql<Asked>`
    select v.id, v.reference_id, v.beneficiary_id, ${readerInfoWhere(reservationOpen(visibility))} as beneficiary_info,
      ${readerNameWhere(reservationOpen(visibility))} as beneficiary_name, v.copy_id, v.set_aside_copy,
      v.start_date, v.end_date, v.queue_position, v.site, s.name as site_name
    from reservations v join beneficiaries b on b.id = v.beneficiary_id left join sites s on s.id = v.site
    where ${isActive} and v.set_aside_copy is null
      and v.reference_id = any(${copies.rows.map(({ reference }) => reference)}::int[])
    order by v.id`.execute(db)
  const placeOf = new Map(copies.rows.map(({ id }, place) => [id, place]))
  const plan = planPicking(copies.rows, asked.rows, today)
    // Each is planned once for all sites, or two people would fetch for one reader.
    .filter(({ copy }) => (at === null ? isSiteOpen(visibility, copy.site) : copy.site === at))
    .sort((a, b) => (placeOf.get(a.copy.id) ?? 0) - (placeOf.get(b.copy.id) ?? 0))
  const picked = plan.map(({ copy, reservation }) => ({
    reservation: reservation.id,
    beneficiary_info: reservation.beneficiary_info,
    beneficiary_name: reservation.beneficiary_name,
    queue_position: reservation.queue_position,
    start_date: reservation.start_date,
    pickup_site:
      reservation.site === null ? null : { id: reservation.site, name: reservation.site_name ?? '' },
    copy: copy.id,
    bar_code: copy.bar_code,
    site: { id: copy.site, name: copy.site_name },
    is_any_copy: reservation.copy_id === null,
    reference_id: copy.reference,
    reference_name: copy.reference_name,
    medium: copy.medium,
    image_path: copy.image_path,
    location: copy.location,
    call_number: copy.call_number,
    returned_on: copy.returned_on,
  }))
  return done(collection(picked))
}
