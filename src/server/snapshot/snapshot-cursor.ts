import { createHash } from 'node:crypto'

import type { Visibility } from '../visibility/visibility.ts'
import type { Horizon } from './horizon.ts'

type Sites = readonly number[] | null

/** Copies of these sites, beneficiaries of these agencies or all, and whole loans of `open` sites. */
export type Scope = { sites: Sites; bySite: boolean; open: Sites }

/** Sorted, because the cursor names them. */
const ascending = (sites: Sites): Sites => sites && [...sites].sort((a, b) => a - b)

export const scopeOf = ({ listed, open, readersBySite }: Visibility): Scope => ({
  sites: ascending(listed),
  bySite: listed !== null && readersBySite,
  open: ascending(open),
})

export const phases = ['copies', 'beneficiaries', 'loanings', 'reservations'] as const
export type Phase = (typeof phases)[number]

/**
 * A pass sends everything (`from` 0) or what changed since a horizon, a transaction id below which all have
 * ended; the next pass starts from `to`.
 */
export type Cursor = {
  from: number
  to: number
  /** Null when the pass is complete. */
  phase: Phase | null
  after: number
  total: number
  /** What the pass is about, because another scope cannot go on from it. */
  scope: string
  /** The journal's last line and its time (ms) at the pass's start; a restored database lacks it. */
  witness: readonly [id: number, at: number]
}

/** Since 2, loans of every site are sent, since 3 with their site, since 4 the timeline is named; a device that holds less begins anew. */
const version = 4

/** A snapshot's scope; `base` and `timeline` are in it, because a restored database begins its transaction ids anew. */
export const nameOfScope = (
  { id, base }: { id: number; base: string },
  { sites, bySite, open }: Scope,
  { timeline, machine }: Pick<Horizon, 'timeline' | 'machine'>,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        id,
        base,
        // Moved to another machine, a library counts other transactions.
        machine === base ? timeline : `${machine}/${timeline}`,
        sites,
        bySite,
        ...(open === null ? [] : [open]),
      ]),
    )
    .digest('base64url')
    .slice(0, 12)

export function writeCursor({ from, to, phase, after, total, scope, witness }: Cursor): string {
  const numbers = [
    version,
    from,
    to,
    phase === null ? 0 : phases.indexOf(phase) + 1,
    after,
    total,
    ...witness,
  ]
  return [...numbers.map((number) => number.toString(36)), scope].join('~')
}

/** Reads a cursor that this server wrote; null for anything else. */
export function readCursor(text: string): Cursor | null {
  const match = /^((?:[0-9a-z]{1,11}~){8})([\w-]{12})$/.exec(text)
  if (!match) return null
  const numbers = (match[1] ?? '')
    .split('~')
    .slice(0, -1)
    .map((part) => Number.parseInt(part, 36))
  const [read, from, to, place, after, total, id, at] = numbers as [number, ...number[]] & { length: 8 }
  if (
    read !== version ||
    !numbers.every(Number.isSafeInteger) ||
    place === undefined ||
    place > phases.length
  )
    return null
  return {
    from: from ?? 0,
    to: to ?? 0,
    phase: place === 0 ? null : (phases[place - 1] ?? null),
    after: after ?? 0,
    total: total ?? 0,
    scope: match[2] ?? '',
    witness: [id ?? 0, at ?? 0],
  }
}
