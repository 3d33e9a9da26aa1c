import type { Symbology } from '../../domain/bar-code.ts'

/** A bar code read in one frame, as printed (not cleaned). */
export interface Read {
  text: string
  symbology: Symbology
}

/** How long a value must be out of sight before it may count again, in milliseconds. */
export const goneAfter = 1200

// These carry no check digit of their own: a frame may be read wrong, but hardly two frames the same wrong way.
const unchecked: ReadonlySet<Symbology> = new Set(['code_39', 'codabar', 'itf'])

/**
 * Decides which reads of a running camera count as scans. Feed it every decoded frame, misses (null) too: it answers
 * the read when it counts, else null. Each value counts again only once it was gone `goneAfter`, so two codes in the
 * same view count once each; a new value counts at once. `now` is a clock in milliseconds.
 */
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
