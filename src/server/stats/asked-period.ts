import type { CalendarDay } from '../../domain/calendar-day.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import { monthOf, type Period, periodBefore } from '../../domain/stat-periods.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen, type Sight, sightFrom } from '../sight/sight.ts'

type Asked = {
  start_date?: CalendarDay | undefined
  end_date?: CalendarDay | undefined
  site?: number | undefined
}

const longestYears = 10

/** The period and the sites that figures are of; the current month and the chosen site unless said. */
export function askedPeriod(
  { start_date, end_date, site }: Asked,
  { today, sight }: Pick<Exchange, 'today' | 'sight'>,
): { ok: true; period: Period; before: Period; sight: Sight } | Refused {
  const period = periodOf(start_date, end_date, today)
  if (period.end_date < period.start_date) {
    return violation('end_date', 'La date de fin ne doit pas précéder la date de début.')
  }
  if (daysBetween(period.start_date, period.end_date) > longestYears * 366) {
    return violation('end_date', `La période ne doit pas dépasser ${longestYears} ans.`)
  }
  const places = askedSites(site, sight)
  return places.ok ? { ok: true, period, before: periodBefore(period), sight: places.sight } : places
}

/** Zero is every site that is open to the person. */
export function askedSites(site: number | undefined, sight: Sight): { ok: true; sight: Sight } | Refused {
  if (site === undefined) return { ok: true, sight }
  if (site !== 0 && !isSiteOpen(sight, site)) return violation('site', 'Ce site n’existe pas.')
  return { ok: true, sight: sightFrom(sight, site === 0 ? null : site) }
}

/** One day alone is taken with the other end of its month. */
function periodOf(first: CalendarDay | undefined, last: CalendarDay | undefined, today: CalendarDay): Period {
  return {
    start_date: first ?? monthOf(last ?? today).start_date,
    end_date: last ?? monthOf(first ?? today).end_date,
  }
}
