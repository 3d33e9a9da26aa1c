import * as call from '../../contract/reservations.ts'
import { aMomentAgo, change, file, longRead, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { noSuchCopy } from '../catalogue/change-copy.ts'
import { addReservation } from './add-reservation.ts'
import { changeReservation } from './change-reservation.ts'
import { exportReservations } from './export-reservations.ts'
import { listPicking } from './list-picking.ts'
import { getNextReader } from './next-reader.ts'
import { passReservation } from './pass-reservation.ts'
import { removeReservation } from './remove-reservation.ts'
import {
  countWaitingFor,
  findReservation,
  listReservations,
  noSuchReservation,
} from '../queue/reservation-queries.ts'

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
  read(call.countWaiting, async (db, { params }, { sight }) => {
    const count = await countWaitingFor(db, params.copy, sight)
    return count === null ? noSuchCopy : done({ count })
  }),
]
