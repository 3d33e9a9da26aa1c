import type { Activity } from '../../contract/stats.ts'
import { type CalendarDay, frenchDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'
import { counted } from '../ui/words.ts'
import { type BarPoint, Bars } from './bars.tsx'
import { periodWords } from './stat-words.ts'

type Day = Activity['days'][number]
type DayBarsProps = { activity: Activity; days: readonly Day[] }

/** Exits and returns, each series where its right is held. */
export function DayBars({ activity: { period, exits, returns }, days }: DayBarsProps) {
  const { points, ...sums } = gathered(days)
  const said = [
    ...(exits ? [counted(exits.now, 'sortie', 'sorties', 'aucune sortie')] : []),
    ...(returns ? [counted(returns.now, 'retour', 'retours', 'aucun retour')] : []),
  ]
  return (
    <Bars
      label={`Activité ${periodWords(period)}\u202f: ${said.join(', ')}`}
      points={points}
      series={[
        ...(exits ? [{ name: 'Sorties', values: sums.exits }] : []),
        ...(returns ? [{ name: 'Retours', values: sums.returns }] : []),
      ]}
    />
  )
}

/** Those that have begun, and those to come of a loan that begins then. */
export const daysToTell = ({ days }: Activity, today: CalendarDay): Day[] =>
  untilToday(days, today, ({ day, exits, returns }) => ({ start: day, count: (exits ?? 0) + (returns ?? 0) }))

type Gathered = { points: readonly BarPoint[]; exits: readonly number[]; returns: readonly number[] }

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

/** Days or months that have begun; of those to come, only as far as something is counted there already. */
export const untilToday = <Span,>(
  spans: readonly Span[],
  today: CalendarDay,
  told: (span: Span) => { start: CalendarDay; count: number },
): Span[] =>
  spans.slice(
    0,
    1 +
      spans.findLastIndex((span) => {
        const { start, count } = told(span)
        return start <= today || count > 0
      }),
  )
