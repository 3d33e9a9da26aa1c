import type { CalendarDay } from '../../domain/calendar-day.ts'
import { nextToServe, type Reservation } from '../../domain/reservation-rules.ts'
import type { Problem } from '../../offline/entry.ts'
import { inWords } from '../page/house-words.ts'

/** For whom a copy that came back is to be set aside, as far as it is known here. */
export type Awaited = {
  /** The reservation. */
  id: number
  /** Null where only the server could tell. */
  name: string | null
  /** Where it is fetched. */
  site: { id: number; name: string } | null
  is_set_aside: boolean
}

type Told = Reservation & {
  id: number
  beneficiary_info?: string | undefined
  beneficiary_name?: string | undefined
  site?: Awaited['site'] | undefined
}

/** Who is served next by this copy, among those that wait for its title. */
export function awaitedBy(reservations: readonly Told[], copy: number, day: CalendarDay): Awaited | null {
  const next = nextToServe(reservations, copy, day)
  return next ? awaitedAs(next, copy) : null
}

export const awaitedAs = (
  { id, beneficiary_info, beneficiary_name, site, set_aside_copy }: Told,
  copy: number,
): Awaited => ({
  id,
  name: beneficiary_name ?? beneficiary_info ?? null,
  site: site ?? null,
  is_set_aside: set_aside_copy === copy,
})

/** For whose sake the server refused a loan, who is served first before the others. */
export const awaitedIn = (problem: Problem | null): Awaited[] =>
  (problem?.reason === 'RESERVED' ? (problem.facts?.reservations ?? []) : []).flatMap(
    ({ id, beneficiary_name, beneficiary_info }) =>
      id === undefined
        ? []
        : { id, name: beneficiary_name ?? beneficiary_info ?? null, site: null, is_set_aside: false },
  )

/** Of a copy that was set aside for a reader who leaves with another; its code where that is known. */
export const freedWords = (bar_code: string | null): string =>
  `${bar_code === null ? inWords('Un autre exemplaire') : `L’exemplaire ${bar_code}`} était mis de côté pour cette personne\u202f: il peut aller à la suivante, ou retourner en rayon.`

/** « à mettre de côté pour Alice Martin (M1) », for a line that is read aloud. */
export const awaitedWords = ({ name, is_set_aside }: Awaited): string =>
  `${is_set_aside ? 'mis de côté' : 'à mettre de côté'} pour ${name ?? 'la personne qui l’attend'}`
