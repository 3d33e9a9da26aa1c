import { findIsbn13 } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeShapes } from '../../domain/code-shapes.ts'

export interface Read {
  text: string
  symbology: Symbology
}

/** A `candidate` is a scan once another frame says the same. */
export type Verdict = 'scan' | 'candidate' | 'nothing'

export const goneAfter = 1200

// One frame may be wrong where no check digit stands, or only one of ten: two are hardly wrong in the same way.
// Code 128 has a check digit of 103, and a matrix is read only once its errors are corrected.
const doubtful: ReadonlySet<Symbology> = new Set(['code_39', 'codabar', 'itf', 'ean_13', 'upc_a'])

/** Where no length is known: a shorter one may be what a glare has left of a label. */
const shortestUnknownItf = 14

/** A glare cuts an ITF short, and every frame and line of it alike: only its length tells. */
export function isWhole({ text, symbology }: Read, { figureLengths }: CodeShapes): boolean {
  if (symbology !== 'itf') return true
  return figureLengths.size === 0 ? text.length >= shortestUnknownItf : figureLengths.has(text.length)
}

interface AgreementWishes {
  /** In ms. */
  now: () => number
  shapes: () => CodeShapes
  /** Whether the device knows it as the code of a copy or of a card. */
  isKnown: (read: Read) => Promise<boolean>
  onScan: (read: Read) => void
}

/** A code counts again only after `goneAfter`; pass every frame, misses (null) too. */
export function createScanAgreement({
  now,
  shapes,
  isKnown,
  onScan,
}: AgreementWishes): (read: Read | null) => Verdict {
  const lastSeen = new Map<string, number>()
  const none = { value: '', at: -Infinity }
  let candidate = none

  const count = (read: Read, value: string): void => {
    candidate = none
    lastSeen.set(value, now())
    onScan(read)
  }

  return (read) => {
    if (read === null || !isWhole(read, shapes())) return 'nothing'
    const at = now()
    for (const [value, seen] of lastSeen) if (at - seen >= goneAfter) lastSeen.delete(value)

    const value = `${read.symbology} ${read.text}`
    if (lastSeen.has(value)) {
      lastSeen.set(value, at)
      return 'nothing'
    }
    const agreed = candidate.value === value && at - candidate.at < goneAfter
    if (agreed || !isDoubtful(read)) {
      count(read, value)
      return 'scan'
    }
    const asked = { value, at }
    candidate = asked
    // Aside: a store that is being written answers late, and the next frame may agree before.
    isKnown(read).then(
      (known) => {
        if (known && candidate === asked && now() - at < goneAfter) count(read, value)
      },
      () => {
        // Without its word the next frame decides.
      },
    )
    return 'candidate'
  }
}

/** An EAN that is a mistake for another code hardly begins as an ISBN. */
const isDoubtful = ({ text, symbology }: Read): boolean =>
  doubtful.has(symbology) && !(symbology === 'ean_13' && findIsbn13(text) !== null)
