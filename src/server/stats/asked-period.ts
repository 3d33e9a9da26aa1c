import type { CalendarDay } from '../../domain/calendar-day.ts'
import { comparedPeriod, type Period, periodFault, periodOf } from '../../domain/stat-periods.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen, type Sight, sightFrom } from '../sight/sight.ts'

type Asked = {
  start_date?: CalendarDay | undefined
  end_date?: CalendarDay | undefined
  site?: number | undefined
}

/** The period and the sites that figures are of; the current month and the chosen site unless said. */
export function askedPeriod(
  { start_date, end_date, site }: Asked,
  { today, sight }: Pick<Exchange, 'today' | 'sight'>,
): { ok: true; period: Period; before: Period; sight: Sight } | Refused {
  const period = periodOf(start_date, end_date, today)
  const fault = periodFault(period)
  if (fault !== null) return violation('end_date', fault)
  const places = askedSites(site, sight)
  return places.ok ? { ok: true, period, before: comparedPeriod(period, today), sight: places.sight } : places
}

/** Zero is every site that is open to the person. */
export function askedSites(site: number | undefined, sight: Sight): { ok: true; sight: Sight } | Refused {
  if (site === undefined) return { ok: true, sight }
  if (site !== 0 && !isSiteOpen(sight, site)) return violation('site', 'Ce site n’existe pas.')
  return { ok: true, sight: sightFrom(sight, site === 0 ? null : site) }
}
