import type { Compared } from '../../contract/stats.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { growthOf, type Period } from '../../domain/stat-periods.ts'

const oneDecimal = new Intl.NumberFormat('fr-FR', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const whole = new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 0 })
/** Under one percent: nothing that grew grew by zero. */
const small = new Intl.NumberFormat('fr-FR', { style: 'percent', maximumSignificantDigits: 1 })

const oneDigit = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })
const mostPercent = 200

/** « 66,7 % »; nothing is a share of nothing. */
export const shareWords = (count: number, total: number): string =>
  total === 0 ? '' : oneDecimal.format(count / total)

export const periodWords = ({ start_date, end_date }: Period): string =>
  `du ${frenchDay(start_date)} au ${frenchDay(end_date)}`

/**
 * « 15 % de plus que du 01/02/2026 au 28/02/2026 », or « 15 % de plus » where what is before is said elsewhere; of nothing that was
 * nothing before, nothing is said.
 */
export function growthWords(figure: Compared, before: Period | null, wordsOf = frenchNumber): string {
  const growth = growthOf(figure)
  const when = before && periodWords(before)
  const than = when === null ? '' : ` que ${when}`
  if (figure.now === 0 && figure.before === 0) return ''
  if (figure.now === figure.before) return `autant${than}`
  // A growth from nothing is no percentage.
  if (growth === null) return `rien ${when ?? 'avant'}`
  const share = Math.abs(growth) / 100
  // A percentage of next to nothing tells less than the two figures.
  if (growth > mostPercent) {
    const was = `${wordsOf(figure.before)} ${when ?? 'avant'}`
    return `× ${oneDigit.format(figure.now / figure.before)} (${was})`
  }
  const said = (share < 0.01 ? small : whole).format(share)
  return `${said} de ${growth > 0 ? 'plus' : 'moins'}${than}`
}

/** « 4,2 points de plus que du 01/02/2026 au 28/02/2026 », of the share that a part is of a whole. */
export function pointsWords(part: Compared, whole: Compared, before: Period): string {
  if (whole.before === 0) return `rien ${periodWords(before)}`
  const grown = (100 * part.now) / whole.now - (100 * part.before) / whole.before
  const points = oneDigit.format(Math.abs(grown))
  if (Number(grown.toFixed(1)) === 0) return `autant que ${periodWords(before)}`
  const unit = Math.abs(grown) < 1.95 ? 'point' : 'points'
  return `${points} ${unit} de ${grown > 0 ? 'plus' : 'moins'} que ${periodWords(before)}`
}

const month = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const shortMonth = new Intl.DateTimeFormat('fr-FR', { month: 'short', year: '2-digit', timeZone: 'UTC' })

/** « mars 2026 », of `2026-03`. */
export const monthWords = (written: string): string => month.format(new Date(`${written}-01T00:00:00Z`))

/** « mars 26 » */
export const shortMonthWords = (written: string): string =>
  shortMonth.format(new Date(`${written}-01T00:00:00Z`))

/** « 9 h 05 », where the library is. */
export function timeWords(instant: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat('fr-FR', { hour: 'numeric', minute: '2-digit', timeZone })
  const parts = new Map(time.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  return `${Number(parts.get('hour'))}\u00a0h\u00a0${parts.get('minute')}`
}
