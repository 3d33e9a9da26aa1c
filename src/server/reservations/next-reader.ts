import type { AnswerOf } from '../../contract/endpoint.ts'
import type { getNextReader as getNextReaderCall } from '../../contract/reservations.ts'
import { nextToServe } from '../../domain/reservation-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { reservationsOfCopy, type WaitingReservation } from '../loans/circulating-copy.ts'
import { findReservation, noSuchReservation } from '../queue/reservation-queries.ts'
import { readerElsewhere } from '../sight/sight.ts'

/** Whoever a copy on the shelf is kept for once a reservation of it is over. */
export async function nextBehind(
  db: Db | Trx,
  { id, copy }: { id: number; copy: number },
  { today }: Pick<Exchange, 'today'>,
): Promise<WaitingReservation | null> {
  const isThere = await db
    .selectFrom('copies')
    .select('id')
    .where('id', '=', copy)
    .where('status', '=', 'Disponible')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!isThere) return null
  const others = (await reservationsOfCopy(db, copy)).filter((one) => one.id !== id)
  return nextToServe(others, copy, today) ?? null
}

/** Told before it is passed on; as things stand, for somebody may be faster. */
export async function getNextReader(
  db: Db,
  { params: { id } }: VerbInput<typeof getNextReaderCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof getNextReaderCall>>> {
  const kept = await findReservation(db, id, exchange)
  if (!kept) return noSuchReservation
  const copy = kept.set_aside_copy
  const next = copy === null ? null : await nextBehind(db, { id, copy }, exchange)
  if (!next) return done({ beneficiary_name: null })
  const isOpen = (await findReservation(db, next.id, exchange)) !== null
  return done({ beneficiary_name: isOpen ? next.beneficiary_name : readerElsewhere })
}
