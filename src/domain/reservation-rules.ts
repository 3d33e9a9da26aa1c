import type { CalendarDay } from './calendar-day.ts'

export type Reservation = {
  beneficiary_id: number
  start_date: CalendarDay | null
  end_date: CalendarDay | null
  queue_position: number | null
}

/** First and last day included. */
type LoanDays = { start_date: CalendarDay; end_date: CalendarDay }

/** A reservation without days is for any days. */
const isForDays = (reservation: Reservation, { start_date, end_date }: LoanDays): boolean =>
  reservation.start_date === null ||
  (reservation.start_date <= end_date && (reservation.end_date ?? '') >= start_date)

export const ownReservation = <R extends Reservation>(
  reservations: readonly R[],
  reader: number,
  days: LoanDays,
): R | undefined => reservations.find((one) => one.beneficiary_id === reader && isForDays(one, days))

/** Earlier places in the queue, and other readers' reservations of the loan's days. */
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
