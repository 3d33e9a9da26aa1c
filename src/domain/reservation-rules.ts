import { type CalendarDay, plusDays, weekdayOf } from './calendar-day.ts'
import { type OpenCalendar, plusOpenDays } from './open-days.ts'

/** One that waits or is confirmed, and is not served. */
export type Reservation = {
  beneficiary_id: number
  /** The copy that is wished for, or null for any of the title. */
  copy_id: number | null
  /** The copy that is kept for the person. */
  set_aside_copy: number | null
  start_date: CalendarDay | null
  end_date: CalendarDay | null
  /** Of those that wait without dates; a confirmed one has none. */
  queue_position: number | null
}

/** A loan of a copy to a reader, or what an extension adds to it; first and last day included. */
export type LoanSought = { reader: number; copy: number; start_date: CalendarDay; end_date: CalendarDay }

const isDated = ({ start_date }: Reservation): boolean => start_date !== null
const isConfirmed = (one: Reservation): boolean => !isDated(one) && one.queue_position === null

/** What is set aside is served by that copy alone, and a wish by the copy that is wished for. */
const canBeServedBy = ({ set_aside_copy, copy_id }: Reservation, copy: number): boolean =>
  (set_aside_copy ?? copy_id ?? copy) === copy

/** A reservation without days is for any days. */
const isForDays = (
  reservation: Reservation,
  { start_date, end_date }: Pick<LoanSought, 'start_date' | 'end_date'>,
): boolean =>
  reservation.start_date === null ||
  (reservation.start_date <= end_date && (reservation.end_date ?? '') >= start_date)

/**
 * Which of a reader's reservations of the title a loan serves: what was promised first, and before others those that
 * this very copy is for. Whoever leaves with another copy waits no longer.
 */
export function ownReservation<R extends Reservation>(
  reservations: readonly R[],
  sought: LoanSought,
): R | undefined {
  const own = reservations.filter((one) => one.beneficiary_id === sought.reader && isForDays(one, sought))
  const able = own.filter((one) => canBeServedBy(one, sought.copy))
  const among = able.length > 0 ? able : own
  return (
    among.find(({ set_aside_copy }) => set_aside_copy === sought.copy) ??
    among.find(isConfirmed) ??
    among.find(isDated) ??
    among[0]
  )
}

/** The copy that was set aside for the reservation which a loan of another one serves; null for none. */
export const copyFreed = (
  served: Pick<Reservation, 'set_aside_copy'> | undefined,
  copy: number,
): number | null => (served && served.set_aside_copy !== copy ? served.set_aside_copy : null)

/** First and last day included. */
export type Days = { start_date: CalendarDay; end_date: CalendarDay }

/** What a title can give: its copies that are or will be lent, and the open loans of all but the copy in hand. */
export type Capacity = { copies: number; loans: readonly Days[] }

/** It stands for days of the title, and no copy is named for it. */
export const isOfAnyCopy = (one: Pick<Reservation, 'copy_id' | 'set_aside_copy' | 'start_date'>): boolean =>
  one.start_date !== null && one.copy_id === null && one.set_aside_copy === null

/**
 * The reservations that stop a loan or an extension until somebody passes over them: copies set aside for
 * others, places in the queue before the reader's, and other readers' reservations of the loan's days for which no
 * copy would be left. Every reservation of these days stops where the capacity is not known.
 */
export function reservationsBefore<R extends Reservation>(
  reservations: readonly R[],
  sought: LoanSought,
  capacity: Capacity | null,
): R[] {
  const own = ownReservation(reservations, sought)
  const isPromised = own !== undefined && own.queue_position === null
  const others = reservations.filter((one) => one.beneficiary_id !== sought.reader)
  return others.filter((one) => {
    if (!canBeServedBy(one, sought.copy) || !isForDays(one, sought)) return false
    if (isOfAnyCopy(one)) return capacity === null || !isCopyLeft(one, others, sought, capacity)
    if (isDated(one) || one.set_aside_copy === sought.copy) return true
    if (isPromised) return false
    return isConfirmed(one) || own === undefined || (one.queue_position ?? 0) < (own.queue_position ?? 0)
  })
}

/** Whether the title has a copy for each day of a dated reservation that the loan would meet. */
function isCopyLeft(
  one: Reservation,
  others: readonly Reservation[],
  sought: LoanSought,
  { copies, loans }: Capacity,
): boolean {
  const { start_date, end_date } = sought
  const taken = [
    // A late copy is not back on the first day, and nobody knows of the others.
    ...loans.map((loan) => (loan.end_date < start_date ? { ...loan, end_date: start_date } : loan)),
    ...others.flatMap((other) => {
      if (other.start_date !== null)
        return { start_date: other.start_date, end_date: other.end_date ?? other.start_date }
      return isConfirmed(other) ? { start_date, end_date } : []
    }),
  ]
  const days = {
    start_date: one.start_date !== null && one.start_date > start_date ? one.start_date : start_date,
    end_date: one.end_date !== null && one.end_date < end_date ? one.end_date : end_date,
  }
  return firstFullDay(days, taken, copies) === null
}

/**
 * The first of some days on which as many others have a copy as there are copies; null where one is free on each.
 * Days are counted one by one: two that follow each other are one copy's.
 */
export function firstFullDay(sought: Days, others: readonly Days[], copies: number): CalendarDay | null {
  // It only becomes full on the first of these days, or where another begins.
  const starts = others
    .map(({ start_date }) => start_date)
    .filter((day) => day > sought.start_date && day <= sought.end_date)
    .sort()
  const areOn = (day: CalendarDay) =>
    others.filter(({ start_date, end_date }) => start_date <= day && day <= end_date).length
  return [sought.start_date, ...starts].find((day) => areOn(day) >= copies) ?? null
}

/** A dated reservation is thought of when a copy comes back so many days before it begins. */
const daysAhead = 7

/**
 * For whom a copy that comes back is set aside: whoever it is kept for, a dated reservation that begins within
 * seven days, whoever was promised a copy, then the queue.
 */
export function nextToServe<R extends Reservation>(
  reservations: readonly R[],
  copy: number,
  day: CalendarDay,
): R | undefined {
  const soon = plusDays(day, daysAhead)
  const able = reservations.filter((one) => canBeServedBy(one, copy))
  const dated = able
    .filter(
      ({ start_date, end_date }) => start_date !== null && start_date <= soon && (end_date ?? '') >= day,
    )
    .sort((a, b) => (a.start_date ?? '').localeCompare(b.start_date ?? ''))
  const queue = able
    .filter(({ queue_position }) => queue_position !== null)
    .sort((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0))
  return (
    able.find(({ set_aside_copy }) => set_aside_copy === copy) ??
    dated.find(({ set_aside_copy }) => set_aside_copy === null) ??
    able.find(isConfirmed) ??
    queue[0]
  )
}

/**
 * Until when a copy set aside on a day waits, in open days of the site where it is fetched and no longer than
 * the reservation; null for as long as it takes.
 */
export function pickupDeadline(
  day: CalendarDay,
  days: number,
  { end_date }: Pick<Reservation, 'end_date'>,
  calendar: OpenCalendar,
): CalendarDay | null {
  if (days === 0) return null
  const until = plusOpenDays(day, days, calendar)
  return end_date !== null && end_date < until ? end_date : until
}

export const reservationStatuses = {
  waiting: 'En attente',
  confirmed: 'Confirmée',
  canceled: 'Annulée',
  refused: 'Refusée',
} as const
export type ReservationStatus = keyof typeof reservationStatuses

export const reservationSources = { media: 'Médiathèque', online: 'Site internet' } as const

const transitions: Record<ReservationStatus, readonly ReservationStatus[]> = {
  waiting: ['confirmed', 'refused', 'canceled'],
  confirmed: ['waiting', 'canceled', 'refused'],
  canceled: ['waiting'],
  refused: ['waiting'],
}

export const mayBecome = (from: ReservationStatus, to: ReservationStatus): boolean =>
  transitions[from].includes(to)

/** A dated one begins on the weekday of the medium, at the first that comes. */
export const onStartDay = (day: CalendarDay, start_day: number | null): CalendarDay =>
  start_day === null ? day : plusDays(day, (start_day - weekdayOf(day) + 7) % 7)
