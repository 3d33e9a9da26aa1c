import type { CalendarDay } from './calendar-day.ts'

/** A reservation that still waits: it holds its copy on its days, or has a place in the queue where it has none. */
export type Reservation = {
  beneficiary_id: number
  start_date: CalendarDay | null
  end_date: CalendarDay | null
  queue_position: number | null
}

/** The days that a loan would take, the first and the last of them included. */
type LoanDays = { start_date: CalendarDay; end_date: CalendarDay }

/** A place in the queue is for whatever days. */
const isForDays = (reservation: Reservation, { start_date, end_date }: LoanDays): boolean =>
  reservation.start_date === null ||
  (reservation.start_date <= end_date && (reservation.end_date ?? '') >= start_date)

/** The reader's own reservation, which a loan on these days would serve. */
export const ownReservation = <R extends Reservation>(
  reservations: readonly R[],
  reader: number,
  days: LoanDays,
): R | undefined => reservations.find((one) => one.beneficiary_id === reader && isForDays(one, days))

/**
 * The reservations that stop a loan to a reader: places in the queue before the reader's own, and copies that others have for days that
 * the loan would take.
 */
export function reservationsBefore<R extends Reservation>(
  reservations: readonly R[],
  reader: number,
  days: LoanDays,
): R[] {
  const own = ownReservation(reservations, reader, days)
  return reservations.filter(
    (one) =>
      one.beneficiary_id !== reader &&
      isForDays(one, days) &&
      (one.start_date !== null ||
        own === undefined ||
        (one.queue_position ?? 0) < (own.queue_position ?? Infinity)),
  )
}
