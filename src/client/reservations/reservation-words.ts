import type { Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'

export const dayOrNothing = (day: string | null): string => (day === null ? '' : frenchDay(day))

/** « Livre numéro 1, Alice Martin (M1) ». */
export const reservationName = ({ reference_name, beneficiary_name }: Reservation): string =>
  `${reference_name}, ${beneficiary_name}`
