import type { CalendarBar } from '../../contract/calendar.ts'
import { type CalendarDay, daysBetween } from '../../domain/calendar-day.ts'
import { daysShown } from '../../domain/calendar-weeks.ts'

/** Days of a line by their place, 0 for the first that is shown; the last included. */
export type Days = { first: number; last: number }

export type FreeCell = Days & { kind: 'free'; /** All free days around, of these weeks. */ run: Days }
export type BarCell = Days & { kind: 'bar'; lane: number; bar: CalendarBar }
export type Cell = FreeCell | BarCell

/** A line cut into cells, from left to right; bars of the same days lie in lanes under each other. */
export type Line = { lanes: number; cells: readonly Cell[] }

export function lineOf(
  bars: readonly CalendarBar[],
  first_day: CalendarDay,
  isFreeShown: boolean,
  columns = daysShown,
): Line {
  const placed = bars
    .map((bar) => ({
      bar,
      first: daysBetween(first_day, bar.first_day),
      last: daysBetween(first_day, bar.last_day),
    }))
    .map(({ bar, first, last }) => ({ bar, first, last: endOf({ bar, first, last }, bars, first_day) }))
    .filter(({ first, last }) => last >= 0 && first < columns)
    .map(({ bar, first, last }) => ({ bar, first: Math.max(first, 0), last: Math.min(last, columns - 1) }))
    .sort((a, b) => a.first - b.first || a.last - b.last)
  const ends: number[] = []
  const inLanes = placed.map((one): BarCell => {
    const free = ends.findIndex((end) => end < one.first)
    const lane = free === -1 ? ends.length : free
    ends[lane] = one.last
    return { kind: 'bar', lane, ...one }
  })
  const free = isFreeShown ? freeRuns(inLanes, columns).flatMap(byWeek) : []
  return {
    lanes: Math.max(ends.length, 1),
    cells: [...inLanes, ...free].sort((a, b) => a.first - b.first || laneOf(a) - laneOf(b)),
  }
}

/** A loan that is out, of whoever may be told, whose end is in sight with a day after it. */
export const mayGrow = ({ bar: { state, beneficiary }, last }: BarCell, columns: number): boolean =>
  (state === 'loan' || state === 'overdue') && beneficiary !== null && last < columns - 1

const laneOf = (cell: Cell): number => (cell.kind === 'bar' ? cell.lane : 0)

/** The day on which a copy comes back and leaves again is shown as the next loan's. */
function endOf(
  { bar, first, last }: Days & { bar: CalendarBar },
  bars: readonly CalendarBar[],
  first_day: CalendarDay,
): number {
  const isShared = bars.some((other) => other !== bar && daysBetween(first_day, other.first_day) === last)
  return bar.state === 'returned' && last > first && isShared ? last - 1 : last
}

function freeRuns(bars: readonly Days[], columns: number): Days[] {
  const runs: Days[] = []
  let from = 0
  for (const { first, last } of [...bars, { first: columns, last: columns }]) {
    if (first > from) runs.push({ first: from, last: first - 1 })
    from = Math.max(from, last + 1)
  }
  return runs
}

/** A free cell is a column's, so that arrows go from week to week. */
function byWeek(run: Days): FreeCell[] {
  const cells: FreeCell[] = []
  for (let first = run.first; first <= run.last; first = first - (first % 7) + 7) {
    cells.push({ kind: 'free', first, last: Math.min(run.last, first - (first % 7) + 6), run })
  }
  return cells
}
