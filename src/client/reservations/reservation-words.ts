import type { Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { setAsideFor } from '../../domain/copy-obstacles.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import type { Awaited } from './awaited.ts'

export const dayOrNothing = (day: string | null): string => (day === null ? '' : frenchDay(day))

/** « Livre numéro 1, Alice Martin (M1) ». */
export const reservationName = ({ reference_name, beneficiary_name }: Reservation): string =>
  `${reference_name}, ${beneficiary_name}`

const whoWaits = ({ name }: Pick<Awaited, 'name'>): string =>
  name === null ? 'la personne qui l’attend' : nameAndNumber(name)[0]

/** « Réservé pour Alice Martin ». */
export const reservedWords = (awaited: Awaited): string =>
  awaited.is_set_aside ? setAsideFor(whoWaits(awaited)) : `Réservé pour ${whoWaits(awaited)}`

/** Says who waited for a copy that was lent all the same; the server leaves their reservations as they are. */
export function passedWords(passed: readonly Awaited[]): string {
  const [first, ...others] = [...passed].sort((a, b) => Number(b.is_set_aside) - Number(a.is_set_aside))
  if (!first) return 'Réservé\u202f: la réservation est gardée.'
  return others.length === 0
    ? `${reservedWords(first)}\u202f: sa réservation est gardée.`
    : `${reservedWords(first)}, ${others.map(whoWaits).join(', ')}\u202f: leurs réservations sont gardées.`
}
