import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { symbologies, type Symbology } from '../../domain/bar-code.ts'
import { emitter } from '../../domain/emitter.ts'
import { currentSession, watchSession } from '../api/session.ts'

/** It came under a dialog or a lock, or on a screen that has no use for it; `reader` was at the counter then. */
export type ScanNotTaken = {
  code: string
  symbology?: Symbology | undefined
  reader?: number | string | undefined
}

/** Of a scan that is taken up: who was at the counter when it was read, and with which others it comes. */
export type TakenUp = Pick<ScanNotTaken, 'reader'> & { turn: string }

/** More is somebody playing. */
const mostKept = 100

const none: readonly ScanNotTaken[] = []

/** A page that is loaded again in its tab still has them. */
const place = 'comptoir.scans-not-taken'
const written = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    owner: v.number(),
    scans: v.array(
      v.object({
        code: v.string(),
        symbology: v.optional(v.picklist(symbologies)),
        reader: v.optional(v.union([v.number(), v.string()])),
      }),
    ),
  }),
)

const currentUser = (): number | undefined => currentSession()?.user?.id

let owner = currentUser()
let kept = readWritten()

function readWritten(): readonly ScanNotTaken[] {
  const read = v.safeParse(written, sessionStorage.getItem(place))
  return read.success && read.output.owner === owner ? read.output.scans : none
}

const { tell, watch } = emitter()

function change(next: readonly ScanNotTaken[]): void {
  kept = next
  try {
    if (next.length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify({ owner, scans: next }))
  } catch {
    // A full storage keeps them until the page is left.
  }
  tell()
}

/** A code that is read again at once is one scan; answers false in front of the door, where nobody could take it up. */
export function keepNotTaken(code: string, symbology?: Symbology, of?: TakenUp): boolean {
  owner = currentUser()
  if (owner === undefined) return false
  const there = [...hearers].map((hear) => hear(code))
  const reader = of ? of.reader : (there.findLast((one) => one !== null) ?? undefined)
  if (kept.at(-1)?.code !== code) change([...kept, { code, symbology, reader }].slice(-mostKept))
  return true
}

/** Answers who is at its counter; null for nobody. */
type HearKept = (code: string) => number | string | null

const hearers = new Set<HearKept>()

/** Tells of each code as it is kept, until the function that it answers is called. */
export function watchKept(hear: HearKept): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

/** Takes one out; answers false where it was no longer there. */
export function takeOneNotTaken(scan: ScanNotTaken): boolean {
  const isThere = kept.includes(scan)
  if (isThere) change(kept.filter((one) => one !== scan))
  return isThere
}

/** Gives them out, the oldest first, and keeps none. */
export function takeNotTaken(): readonly ScanNotTaken[] {
  const taken = kept
  change(none)
  return taken
}

export const useNotTaken = (): readonly ScanNotTaken[] => useSyncExternalStore(watch, readKept)

const readKept = (): readonly ScanNotTaken[] => kept

// The next person sees nothing of this one's scans.
watchSession(() => {
  if (currentUser() !== owner && kept.length > 0) change(none)
})
