import type { CalendarDay } from '../../domain/calendar-day.ts'
import { comparedPeriod, type Period, periodFault, periodOf } from '../../domain/stat-periods.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen, type Visibility, visibilityFrom } from '../visibility/visibility.ts'

type Asked = {
  start_date?: CalendarDay | undefined
  end_date?: CalendarDay | undefined
  site?: number | undefined
}

/** The period and the sites that figures are of; the current month and the chosen site unless said. */
export function askedPeriod(
  { start_date, end_date, site }: Asked,
  { today, visibility }: Pick<Exchange, 'today' | 'visibility'>,
): { ok: true; period: Period; before: Period; visibility: Visibility } | Refused {
  const period = periodOf(start_date, end_date, today)
  const fault = periodFault(period)
  if (fault !== null) return violation('end_date', fault)
  const places = askedSites(site, visibility)
  return places.ok
    ? { ok: true, period, before: comparedPeriod(period, today), visibility: places.visibility }
    : places
}

/** Zero is every site that is open to the person. */
export function askedSites(
  site: number | undefined,
  visibility: Visibility,
): { ok: true; visibility: Visibility } | Refused {
  if (site === undefined) return { ok: true, visibility }
  if (site !== 0 && !isSiteOpen(visibility, site)) return violation('site', 'Ce site n’existe pas.')
  return { ok: true, visibility: visibilityFrom(visibility, site === 0 ? null : site) }
}
