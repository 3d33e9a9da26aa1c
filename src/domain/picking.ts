import type { CalendarDay } from './calendar-day.ts'
import { nextToServe, type Reservation } from './reservation-rules.ts'

type Copy = { id: number; reference: number; site: number }
type Asked = Reservation & { id: number; reference_id: number; site: number | null }

/**
 * Which copy of the shelves is fetched for which reservation: the first of each title is served first, by a copy
 * of the site where it is fetched if there is one. A copy serves one, and one is served by one copy.
 */
export function planPicking<C extends Copy, R extends Asked>(
  copies: readonly C[],
  reservations: readonly R[],
  day: CalendarDay,
): { copy: C; reservation: R }[] {
  const plan: { copy: C; reservation: R }[] = []
  for (const [title, asked] of byTitle(reservations)) {
    const left = new Set(asked.filter(({ set_aside_copy }) => set_aside_copy === null))
    const shelf = new Set(copies.filter(({ reference }) => reference === title))
    const take = (copy: C, reservation: R) => {
      plan.push({ copy, reservation })
      shelf.delete(copy)
      left.delete(reservation)
    }
    // A copy at the place where its next reader comes goes to them before it travels for another.
    for (const isHere of [true, false]) {
      for (const copy of shelf) {
        const reservation = nextToServe([...left], copy.id, day)
        if (reservation && (!isHere || reservation.site === copy.site)) take(copy, reservation)
      }
    }
  }
  return plan
}

function byTitle<R extends Asked>(reservations: readonly R[]): Map<number, R[]> {
  const titles = new Map<number, R[]>()
  for (const one of reservations) titles.set(one.reference_id, [...(titles.get(one.reference_id) ?? []), one])
  return titles
}
