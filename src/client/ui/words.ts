import { frenchNumber } from '../../domain/french-number.ts'
import { inWords } from '../page/house-words.ts'

const plural = new Intl.PluralRules('fr')

/** « 1 prêt », « 1 234 prêts », with zero in the singular or, better, as `none` (« Aucun prêt »). */
export function counted(count: number, one: string, many: string, none?: string): string {
  if (count === 0 && none) return inWords(none)
  return `${frenchNumber(count)} ${inWords(plural.select(count) === 'one' ? one : many)}`
}

/** « Le Ventre de Paris, Germinal et 3 autres »: as many names as a message holds. */
export function firstNames(names: readonly string[]): string {
  const rest = names.length - 2
  return rest > 1 ? `${names.slice(0, 2).join(', ')} et ${rest} autres` : names.join(', ')
}

const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' })

/** « il y a 2 h », for past instants. */
export function ago(instant: string | number, now: number = Date.now()): string {
  const minutes = Math.round((now - new Date(instant).getTime()) / 60_000)
  if (minutes < 1) return 'à l’instant'
  if (minutes < 60) return relative.format(-minutes, 'minute')
  if (minutes < 48 * 60) return relative.format(-Math.round(minutes / 60), 'hour')
  return relative.format(-Math.round(minutes / 1440), 'day')
}

const instantFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short' })

/** `20/11/2026 14:05`, in the device's zone. */
export const frenchInstant = (instant: string): string => instantFormat.format(new Date(instant))
