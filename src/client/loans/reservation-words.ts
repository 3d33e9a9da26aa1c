import { frenchDay } from '../../domain/calendar-day.ts'

export type Waiting = { beneficiary_name: string; start_date: string | null; end_date: string | null }

/** Who waits, and for which days. */
export const reservationWords = ({ beneficiary_name, start_date, end_date }: Waiting): string =>
  start_date === null
    ? beneficiary_name
    : `${beneficiary_name}, du ${frenchDay(start_date)}${end_date ? ` au ${frenchDay(end_date)}` : ''}`
