import type { Copy } from '../../contract/catalogue.ts'
import { atSite } from '../../domain/at-site.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { CopyStatus } from '../../domain/loan-rules.ts'
import { counted } from '../ui/words.ts'

/** Where and when it is asked. `site` is 0 for all of them. */
export type Place = { site: number; isMultisite: boolean; today: CalendarDay }

type Known = Pick<
  Copy,
  'id' | 'status_name' | 'type' | 'sold_on' | 'loaning' | 'reservations' | 'site' | 'site_name'
>

/** For whom it waits on the shelf. */
export const asideFor = ({ id, status_name, reservations }: Known) =>
  status_name === 'Disponible' ? reservations.find(({ set_aside_copy }) => set_aside_copy === id) : undefined

/** Whether it can be lent now: it is on the shelf, for loan, and set aside for nobody. */
export const isFree = (copy: Known): boolean =>
  copy.status_name === 'Disponible' && copy.type === 'Location' && copy.sold_on === null && !asideFor(copy)

const statusWords: Record<CopyStatus, string> = {
  Disponible: 'en vente',
  'En Location': 'en prêt',
  'En transfert': 'en transfert',
  'Non Disponible': 'indisponible',
}

const dueWords = (due: CalendarDay, today: CalendarDay): string =>
  `retour ${due < today ? 'attendu depuis' : 'prévu'} le ${frenchDay(due)}`

/** « libre », « en prêt, retour prévu le 12/03/2026 ». */
export function copyWords(copy: Known, { today }: Pick<Place, 'today'>): string {
  if (copy.sold_on !== null) return `vendu le ${frenchDay(copy.sold_on)}`
  if (copy.loaning) return `en prêt, ${dueWords(copy.loaning.end_date, today)}`
  if (isFree(copy)) return 'libre'
  return asideFor(copy) ? 'mis de côté' : statusWords[copy.status_name]
}

/** « 2 libres ici, 1 à l’Annexe »; where none is, when the next comes back. */
export function freeWords(copies: readonly Known[], place: Place): string {
  const kept = copies.filter(({ sold_on }) => sold_on === null)
  if (kept.length === 0) return counted(0, '', '', 'aucun exemplaire')
  const free = kept.filter(isFree)
  if (free.length > 0) return place.isMultisite ? bySite(free, place.site) : freeOf(free.length)
  const onSale = kept.filter(({ type, status_name }) => type === 'Vente' && status_name === 'Disponible')
  if (onSale.length > 0) return counted(onSale.length, 'en vente', 'en vente')
  const next = nextDue(kept, place)
  return next === undefined ? 'aucun libre' : `aucun libre, ${next}`
}

/** When the next of them comes back. */
function nextDue(copies: readonly Known[], { today }: Pick<Place, 'today'>): string | undefined {
  const due = copies.flatMap(({ loaning }) => loaning?.end_date ?? []).toSorted()
  // A due day that is past does not say when a copy will be back.
  const next = due.find((day) => day >= today) ?? due[0]
  return next === undefined ? undefined : dueWords(next, today)
}

/** The whole of a title: « 2 libres ici, 1 à l’Annexe · 1 en prêt, retour prévu le 15/03/2026 · 1 mis de côté ». */
export function whereWords(copies: readonly Known[], place: Place): string {
  const lent = copies.filter(({ loaning }) => loaning !== null).length
  const aside = copies.filter(asideFor).length
  const next = copies.some(isFree) ? nextDue(copies, place) : undefined
  return [
    freeWords(copies, place),
    ...(next === undefined ? [] : [`${lent}\u00a0en prêt, ${next}`]),
    ...(aside === 0 ? [] : [`${aside}\u00a0mis de côté`]),
  ].join(' · ')
}

const freeOf = (count: number) => counted(count, 'libre', 'libres')

/** More sites than these are told as one. */
const mostNamed = 2

function bySite(free: readonly Known[], site: number): string {
  const others = new Map<string, number>()
  for (const copy of free) {
    if (copy.site !== site) others.set(copy.site_name, (others.get(copy.site_name) ?? 0) + 1)
  }
  const elsewhere = [...others].map(([name, count]) => ({ where: atSite(name), count }))
  const away = elsewhere.reduce((sum, { count }) => sum + count, 0)
  const named = elsewhere.length > mostNamed ? [{ where: 'ailleurs', count: away }] : elsewhere
  const here = { where: 'ici', count: free.length - away }
  return [here, ...named]
    .filter(({ count }) => count > 0)
    .map(({ where, count }, at) => `${at === 0 ? freeOf(count) : count} ${where}`)
    .join(', ')
}
