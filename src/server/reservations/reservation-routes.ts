import * as call from '../../contract/reservations.ts'
import type {
  addReservation as addReservationCall,
  removeReservation as removeReservationCall,
  Reservation,
} from '../../contract/reservations.ts'
import { noSuchCopy } from '../catalogue/change-copy.ts'
import type { Trx } from '../db/handles.ts'
import { aMomentAgo, change, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { endOfQueue, holdSought, lockQueue } from '../queue/lock-queue.ts'
import {
  countWaitingFor,
  findReservation,
  getReservation,
  listReservations,
  noSuchReservation,
} from '../queue/reservation-queries.ts'
import { changeReservation } from './change-reservation.ts'
import { exportReservations } from './export-reservations.ts'
import { listPicking } from './list-picking.ts'
import { passReservation } from './pass-reservation.ts'
import { checkSought } from './reservation-facts.ts'
import { getNextReader } from './set-aside.ts'

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
      queued_at: endOfQueue(sought.reference_id, exchange.now),
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
