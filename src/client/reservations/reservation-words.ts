import type { Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Problem } from '../../offline/entry.ts'
import type { Awaited } from './awaited.ts'

export const dayOrNothing = (day: string | null): string => (day === null ? '' : frenchDay(day))

/** « Livre numéro 1, Alice Martin (M1) ». */
export const reservationName = ({ reference_name, beneficiary_name }: Reservation): string =>
  `${reference_name}, ${beneficiary_name}`

/** Who is served first of those for whose sake the server refused a loan. */
export function awaitedIn(problem: Problem | null): Awaited | null {
  const [first] = problem?.reason === 'RESERVED' ? (problem.facts?.reservations ?? []) : []
  if (first?.id === undefined) return null
  const name = first.beneficiary_name ?? first.beneficiary_info ?? null
  return { id: first.id, name, site: null, is_set_aside: false }
}
