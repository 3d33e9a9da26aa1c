import { useSyncExternalStore } from 'react'

import type { Symbology } from '../../domain/bar-code.ts'
import { currentSession, watchSession } from '../api/session.ts'

/** It came under a dialog or a lock, or on a screen that has no use for it. */
export type ScanNotTaken = { code: string; symbology: Symbology | undefined }

/** More is somebody playing. */
const mostKept = 100

const none: readonly ScanNotTaken[] = []
let kept = none
let owner: number | undefined
const listeners = new Set<() => void>()

function change(next: readonly ScanNotTaken[]): void {
  kept = next
  for (const listener of listeners) listener()
}

const currentUser = (): number | undefined => currentSession()?.user?.id

/** Keeps a code once; in front of the door nobody could take it up. */
export function keepNotTaken(code: string, symbology?: Symbology): void {
  owner = currentUser()
  if (owner === undefined) return
  const others = kept.filter((scan) => scan.code !== code)
  change([...others, { code, symbology }].slice(-mostKept))
}

/** Gives them out, the oldest first, and keeps none. */
export function takeNotTaken(): readonly ScanNotTaken[] {
  const taken = kept
  change(none)
  return taken
}

export const useNotTaken = (): readonly ScanNotTaken[] =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readKept)

const readKept = (): readonly ScanNotTaken[] => kept

// The next person sees nothing of this one's scans.
watchSession(() => {
  if (currentUser() !== owner && kept.length > 0) change(none)
})
