import type { ScanVerdict } from '../../domain/inventory.ts'
import type { StoredCopy, StoredScan } from '../../offline/inventory-rows.ts'
import { noCopySentence } from '../find/not-a-copy.ts'
import type { CountView } from './count.ts'

const time = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'short' })
export const timeOf = (instant: string): string => time.format(new Date(instant))

const shelfLabel = ({ loaded }: CountView, id: number | null): string | null =>
  id === null ? null : (loaded.shelves.find((shelf) => shelf.id === id)?.label ?? null)

export const nameOfScan = ({ name, bar_code }: StoredScan): string => name ?? bar_code ?? 'Exemplaire'

/** Beside the word: where the copy should be, or what to do with it. */
export function sentenceOfScan(scan: StoredScan, view: CountView): string {
  if (scan.verdict === 'already') return whenBefore(scan, view)
  if (scan.verdict === 'found') return shelfLabel(view, scan.location) ?? ''
  const { verdict, bar_code } = scan
  return sentenceOfCopy({ verdict, bar_code, copy: view.copies.copy(scan.copy) }, view)
}

type JudgedCopy = { verdict: ScanVerdict; copy: StoredCopy | null; bar_code: string | null }

/** The same of what is in sight and not counted. */
export function sentenceOfCopy({ verdict, copy, bar_code }: JudgedCopy, view: CountView): string {
  if (verdict === 'unknown') return noCopySentence(bar_code ?? '')
  if (verdict === 'withdrawn') return 'Sorti du fonds\u202f: mettez-le de côté.'
  if (verdict === 'lent') {
    return copy && copy.site !== view.loaded.site
      ? 'Noté en prêt, et d’un autre site.'
      : 'Noté en prêt, et pourtant en rayon.'
  }
  if (verdict !== 'elsewhere') return ''
  const place = copy && copy.site === view.loaded.site ? shelfLabel(view, copy.location) : null
  return place === null ? 'Il est d’un autre site.' : `Sa place\u202f: ${place}`
}

/** « Compté à 14:05 par nadia » where another device did. */
function whenBefore(scan: StoredScan, view: CountView): string {
  const own = view.scans.find(
    ({ copy, key, seq, taken_back }) =>
      copy === scan.copy && key !== scan.key && !taken_back && seq < scan.seq,
  )
  if (own) return `Compté à ${timeOf(own.scanned_at)} sur cet appareil.`
  const other = view.others.find(({ copy, taken_back }) => copy === scan.copy && !taken_back)
  return other ? `Compté à ${timeOf(other.scanned_at)} par ${other.who}.` : 'Compté sur un autre appareil.'
}
