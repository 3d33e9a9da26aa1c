import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { collection } from '../../contract/list.ts'
import * as call from '../../contract/reservations.ts'
import type {
  addReservation as addReservationCall,
  removeReservation as removeReservationCall,
  Reservation,
} from '../../contract/reservations.ts'
import { planPicking } from '../../domain/picking.ts'
import type { Reservation as Waiting } from '../../domain/reservation-rules.ts'
import { noSuchCopy } from '../catalogue/change-copy.ts'
import type { Db, Trx } from '../db/handles.ts'
import { aMomentAgo, change, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { endOfQueue, holdSought, lockQueue } from '../queue/lock-queue.ts'
import {
  countWaitingFor,
  findReservation,
  getReservation,
  listReservations,
  noSuchReservation,
} from '../queue/reservation-queries.ts'
import {
  isSiteOpen,
  readerElsewhere,
  readerInfoWhere,
  readerNameWhere,
  reservationOpen,
} from '../visibility/visibility.ts'
import { changeReservation } from './change-reservation.ts'
import { exportReservations } from './export-reservations.ts'
import { checkSought } from './reservation-facts.ts'
import { getNextReader, nextBehind, pickupUntil } from './set-aside.ts'

/** Hides a reservation that was made by mistake; what a loan has served is history. */
async function removeReservation(
  trx: Trx,
  { params }: VerbInput<typeof removeReservationCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const seen = await findReservation(trx, params.id, exchange)
  if (!seen) return noSuchReservation
  await lockQueue(trx, seen.reference_id)
  const before = await findReservation(trx, params.id, exchange)
  if (!before) return noSuchReservation
  if (before.fulfilled_by !== null) {
    return conflict('WRONG_STATUS', 'Un prêt a servi cette réservation\u202f: elle ne se supprime plus.')
  }
  await trx
    .updateTable('reservations')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', before.id)
    .execute()
  await journal(trx, exchange, {
    action: 'reservations.remove',
    entity: 'reservations',
    entity_id: before.id,
    before,
  })
  return done(null)
}

/** Reserves days of a title or of a copy, else a place at the end of the title's queue. */
async function addReservation(
  trx: Trx,
  { body }: VerbInput<typeof addReservationCall>,
  exchange: Exchange,
): Promise<Outcome<Reservation>> {
  await holdSought(trx, {
    reference: body.reference_id,
    copy: body.copy_id,
    beneficiary: body.beneficiary_id,
  })
  await lockQueue(trx, body.reference_id)
  const checked = await checkSought(
    trx,
    {
      id: null,
      isNewTitle: true,
      beneficiary_id: body.beneficiary_id,
      reference_id: body.reference_id,
      copy_id: body.copy_id ?? null,
      start_date: body.start_date ?? null,
      end_date: body.end_date ?? null,
      site: body.site ?? null,
      source: body.source ?? 'media',
    },
    exchange,
  )
  if (!checked.ok) return checked
  const { id: _, isNewTitle: _new, ...sought } = checked.sought
  const now = exchange.now.toISOString()
  const { id } = await trx
    .insertInto('reservations')
    .values({
      ...sought,
      reservation_date: now,
      queued_at: await endOfQueue(trx, sought.reference_id, exchange.now),
      comment: body.comment ?? '',
      cycle_value: body.cycle_value ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = await getReservation(trx, id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.add',
    entity: 'reservations',
    entity_id: id,
    after,
  })
  return done(after)
}

/** Nobody came: the reservation is cancelled, and its copy kept for whoever comes next, in one go. */
async function passReservation(
  trx: Trx,
  { params }: VerbInput<typeof call.passReservation>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof call.passReservation>>> {
  const seen = await findReservation(trx, params.id, exchange)
  if (!seen) return noSuchReservation
  const copy = seen.set_aside_copy
  if (copy !== null) await trx.selectFrom('copies').select('id').where('id', '=', copy).forUpdate().execute()
  await lockQueue(trx, seen.reference_id)
  const before = await findReservation(trx, params.id, exchange)
  if (!before) return noSuchReservation
  if (copy === null || before.set_aside_copy !== copy || before.fulfilled_by !== null) {
    return conflict('WRONG_STATUS', 'Aucun exemplaire n’est mis de côté pour cette réservation.')
  }
  const noted = [before.comment, 'Non retirée.'].filter(Boolean).join(' ')
  // A comment as long as it may be stays as it is, so that it can be saved again.
  const comment = noted.length > call.longestComment ? before.comment : noted
  await trx
    .updateTable('reservations')
    .set({ status: 'canceled', comment })
    .where('id', '=', before.id)
    .execute()
  const passed = await getReservation(trx, before.id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.canceled',
    entity: 'reservations',
    entity_id: before.id,
    before,
    after: passed,
  })
  const following = await nextBehind(trx, { id: before.id, copy }, exchange)
  if (!following) return done({ passed, next: null })
  const waited = await getReservation(trx, following.id, exchange)
  await trx
    .updateTable('reservations')
    .set({
      status: 'confirmed',
      set_aside_copy: copy,
      set_aside_at: exchange.now.toISOString(),
      pickup_until: pickupUntil(exchange, waited),
    })
    .where('id', '=', waited.id)
    .execute()
  const next = await getReservation(trx, waited.id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.confirmed',
    entity: 'reservations',
    entity_id: next.id,
    before: waited,
    after: next,
  })
  const isOpen = (await findReservation(trx, next.id, exchange)) !== null
  // Somebody must fetch it for them; what was written of them elsewhere is not needed for that.
  const nameless = { beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere, comment: '' }
  return done({ passed, next: isOpen ? next : { ...next, ...nameless } })
}

type Asked = Waiting & {
  id: number
  reference_id: number
  site: number | null
  site_name: string | null
  beneficiary_info: string
  beneficiary_name: string
}
type Shelved = Pick<
  call.Picked,
  'bar_code' | 'reference_name' | 'medium' | 'image_path' | 'location' | 'call_number' | 'returned_on'
> & {
  id: number
  reference: number
  site: number
  site_name: string
}

/** What is asked for and stands on the shelves of a site, in the order of a walk along them. */
async function listPicking(
  db: Db,
  { query }: VerbInput<typeof call.listPicking>,
  { visibility, site, today }: Exchange,
): Promise<Outcome<AnswerOf<typeof call.listPicking>>> {
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

export const reservationRoutes = [
  read(call.reservations.list, async (db, { list }, exchange) =>
    done(await listReservations(db, list, exchange)),
  ),
  aMomentAgo(file(call.exportReservations, exportReservations)),
  longRead(call.listPicking, listPicking),
  read(call.getReservation, async (db, { params }, exchange) => {
    const found = await findReservation(db, params.id, exchange)
    return found ? done(found) : noSuchReservation
  }),
  change(call.addReservation, addReservation),
  change(call.changeReservation, changeReservation),
  change(call.removeReservation, removeReservation),
  read(call.getNextReader, getNextReader),
  change(call.passReservation, passReservation),
  read(call.countWaiting, async (db, { params }, { visibility }) => {
    const count = await countWaitingFor(db, params.copy, visibility)
    return count === null ? noSuchCopy : done({ count })
  }),
]
