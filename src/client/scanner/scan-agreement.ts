import type { Symbology } from '../../domain/bar-code.ts'

export interface Read {
  text: string
  symbology: Symbology
}

export const goneAfter = 1200

// Without a check digit one frame may be wrong, but hardly two in the same way.
const unchecked: ReadonlySet<Symbology> = new Set(['code_39', 'codabar', 'itf'])

/** A known value counts again only after `goneAfter`; pass every frame, misses (null) too. `now` in ms. */
export function createScanAgreement(now: () => number): (read: Read | null) => Read | null {
  const lastSeen = new Map<string, number>()
  let candidate = { value: '', at: 0 }

  return (read) => {
    if (read === null) return null
    const at = now()
    for (const [value, seen] of lastSeen) if (at - seen >= goneAfter) lastSeen.delete(value)

    const value = `${read.symbology} ${read.text}`
    if (lastSeen.has(value)) {
      lastSeen.set(value, at)
      return null
    }
    const agreed = candidate.value === value && at - candidate.at < goneAfter
    if (unchecked.has(read.symbology) && !agreed) {
      candidate = { value, at }
      return null
    }
    lastSeen.set(value, at)
    return read
  }
}
