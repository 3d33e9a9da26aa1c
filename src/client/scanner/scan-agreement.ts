import { cleanScan } from '../../domain/bar-code.ts'
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
const doubtful: ReadonlySet<Symbology> = new Set(['code_39', 'codabar', 'itf', 'ean_13', 'upc_a'])

const shortestItf = 6

/** A glare cuts an ITF short, and every frame and line of it alike: only its length tells. */
export function isWhole({ text, symbology }: Read, { figureLengths }: CodeShapes): boolean {
  if (symbology !== 'itf') return true
  return figureLengths.size === 0 ? text.length >= shortestItf : figureLengths.has(text.length)
}

/** A known value counts again only after `goneAfter`; pass every frame, misses (null) too. `now` in ms. */
export function createScanAgreement(
  now: () => number,
  shapes: () => CodeShapes,
): (read: Read | null) => Verdict {
  const lastSeen = new Map<string, number>()
  let candidate = { value: '', at: 0 }

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
    if (!agreed && isDoubtful(read, shapes())) {
      candidate = { value, at }
      return 'candidate'
    }
    lastSeen.set(value, at)
    return 'scan'
  }
}

/** A misread hardly has the shape of many codes of the library, or the check digit of an ISBN. */
const isDoubtful = ({ text, symbology }: Read, shapes: CodeShapes): boolean =>
  doubtful.has(symbology) && !shapes.proves(cleanScan(text, symbology))
