import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { getNextReader as getNextReaderCall } from '../../contract/reservations.ts'
import { notAvailable, notForLoan, withdrawnFromStock } from '../../domain/copy-obstacles.ts'
import { calendarOf } from '../../domain/open-days.ts'
import { nextToServe, pickupDeadline } from '../../domain/reservation-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, type Refused } from '../http/outcome.ts'
import { reservationsOfCopy, type WaitingReservation } from '../loans/circulating-copy.ts'
import { findReservation, noSuchReservation } from '../queue/reservation-queries.ts'
import { isSiteOpen, readerElsewhere } from '../visibility/visibility.ts'

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

type Waiting = {
  id: number
  reference_id: number
  copy_id: number | null
  site: number | null
  end_date: string | null
}

/** A copy that may be kept for a person; its row is locked until the transaction ends. */
export type Keepable = { id: number; site: number }

const isFree = sql`c.deleted_at is null and c.status = 'Disponible' and c.type = 'Location' and not exists (
  select from reservations o where o.set_aside_copy = c.id and o.status = 'confirmed'
    and o.deleted_at is null and o.fulfilled_by is null)`

/** The copy in hand; a refusal says why it is not to be kept. */
export async function lockCopyInHand(
  trx: Trx,
  copy: number,
  waiting: Waiting,
  exchange: Exchange,
): Promise<{ ok: true; copy: Keepable } | Refused> {
  const { rows } = await sql<Keepable & CopyInHand & { reference: number; free: boolean }>`
    select c.id, c.site, c.reference, c.bar_code, c.status, c.type, c.deleted_at is not null as deleted, r.name, ${isFree} as free
    from copies c join "references" r on r.id = c.reference where c.id = ${copy} for update of c`.execute(trx)
  const [found] = rows
  if (!found || found.reference !== waiting.reference_id || !isSiteOpen(exchange.visibility, found.site)) {
    return conflict('COPY_UNKNOWN', 'Cet exemplaire n’est pas celui d’une réservation de ce titre.')
  }
  if (waiting.copy_id !== null && waiting.copy_id !== found.id) {
    return conflict('COPY_UNAVAILABLE', 'Cette personne attend un autre exemplaire de ce titre.')
  }
  if (!found.free) return whyNotKept(found)
  return { ok: true, copy: found }
}

type CopyInHand = { bar_code: string; name: string; status: string; type: string; deleted: boolean }

/** With its code: another copy of the title may stand beside it. */
function whyNotKept({ bar_code, name, status, type, deleted }: CopyInHand): Refused {
  const which = `${name} (${bar_code})`
  if (deleted) return conflict('COPY_WITHDRAWN', withdrawnFromStock(which))
  if (type !== 'Location') return conflict('COPY_UNAVAILABLE', notForLoan(which))
  if (status !== 'Disponible') return conflict('COPY_UNAVAILABLE', notAvailable(which, status))
  return conflict('COPY_UNAVAILABLE', `L’exemplaire ${bar_code} est mis de côté pour quelqu’un d’autre.`)
}

/** Whether a locked copy is still for the taking: asked again under the queue's lock, which orders decisions. */
export async function isStillFree(trx: Trx, copy: number): Promise<boolean> {
  const { rows } = await sql`select from copies c where c.id = ${copy} and ${isFree}`.execute(trx)
  return rows.length > 0
}

/**
 * One on the shelf: the one wished for, else first one of the site where it is fetched; null while none is there.
 * `isLate` is under the queue's lock, where nobody may be waited for.
 */
export async function lockCopyOnShelf(
  trx: Trx,
  { reference_id, copy_id, site }: Waiting,
  { visibility }: Pick<Exchange, 'visibility'>,
  isLate = false,
): Promise<Keepable | null> {
  const { rows } = await sql<Keepable>`
    select c.id, c.site from copies c
    where c.reference = ${reference_id} and ${isFree} and (${copy_id}::integer is null or c.id = ${copy_id})
      and ${atSites(sql`c.site`, visibility.open)}
    order by (c.site = ${site}) desc nulls last, c.id limit 1
    for update of c ${isLate ? sql`skip locked` : sql``}`.execute(trx)
  return rows[0] ?? null
}

/** Until when it is kept, in open days of the site where it is fetched; null for as long as it takes. */
export function pickupUntil(
  { parameters, today, openings }: Pick<Exchange, 'parameters' | 'today' | 'openings'>,
  { end_date, site }: Pick<Waiting, 'end_date' | 'site'>,
): string | null {
  return pickupDeadline(
    today,
    parameters.number('reservation_pickup_days'),
    { end_date },
    calendarOf(openings, site),
  )
}
