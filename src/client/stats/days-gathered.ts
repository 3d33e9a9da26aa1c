import type { Activity } from '../../contract/stats.ts'
import { frenchDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'
import type { BarPoint } from './bars.tsx'

type Day = Activity['days'][number]
export type Gathered = { points: readonly BarPoint[]; exits: readonly number[]; returns: readonly number[] }

/** More days than that are no longer told from one another. */
export const mostDays = 45

/** A bar a day, or a week where there are many. */
export function gathered(days: readonly Day[]): Gathered {
  const isWeekly = days.length > mostDays
  const sums = new Map<string, { exits: number; returns: number }>()
  for (const { day, exits, returns } of days) {
    const key = isWeekly ? plusDays(day, 1 - weekdayOf(day)) : day
    const sum = sums.get(key) ?? { exits: 0, returns: 0 }
    sums.set(key, { exits: sum.exits + (exits ?? 0), returns: sum.returns + (returns ?? 0) })
  }
  return {
    points: [...sums.keys()].map((day) => ({
      key: day,
      title: isWeekly ? `Semaine du ${frenchDay(day)}` : frenchDay(day),
      tick: frenchDay(day).slice(0, 5),
    })),
    exits: [...sums.values()].map(({ exits }) => exits),
    returns: [...sums.values()].map(({ returns }) => returns),
  }
}
