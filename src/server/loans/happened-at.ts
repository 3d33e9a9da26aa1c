import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'

const furthestAheadMs = 5 * 60_000
/** What happened longer ago is believed of nobody. */
export const oldestHappenedMs = 30 * 24 * 3600_000

type Happened = { at: string; day: string; received_at: string }

/** When an action happened at its counter, within bounds. */
export function happenedAt(exchange: Exchange, occurred_at: string | undefined): Outcome<Happened> {
  const received = exchange.now
  const told = occurred_at ?? exchange.occurred_at
  const at = told === undefined ? received : new Date(told)
  const ahead = at.getTime() - received.getTime()
  if (ahead > furthestAheadMs) {
    return violation(
      'occurred_at',
      'L’heure de l’action est dans l’avenir\u202f: vérifiez l’horloge de l’appareil.',
    )
  }
  if (-ahead > oldestHappenedMs) return violation('occurred_at', 'L’action date de plus de 30 jours.')
  return done({
    at: at.toISOString(),
    day: calendarDayOf(at, exchange.parameters.get('timezone')),
    received_at: received.toISOString(),
  })
}
