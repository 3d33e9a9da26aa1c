import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { currentSession, watchSession } from '../api/session.ts'

// Whether the screen is locked, kept beside the session so that a page that is loaded again or opened anew knows at once.

const shape = v.object({
  /** Which session it is of, by the end of its token: whoever signs in is there. */
  session: v.string(),
  locked: v.boolean(),
  /** Minutes without a gesture before it locks, as last known; 0 is never. */
  minutes: v.number(),
  /** When the last gesture was made, whichever page heard it, by the device's clock. */
  gesture_at: v.number(),
})
type LockState = v.InferOutput<typeof shape>

const storageKey = 'comptoir.lock'
const listeners = new Set<() => void>()
let state = read()
let isAsked = false

function stored(): LockState | null {
  try {
    return v.parse(shape, JSON.parse(localStorage.getItem(storageKey) ?? ''))
  } catch {
    return null
  }
}

function read(): LockState {
  const session = currentSession()?.token.slice(-8) ?? ''
  const kept = stored()
  return kept?.session === session
    ? kept
    : { session, locked: false, minutes: kept?.minutes ?? 0, gesture_at: Date.now() }
}

function become(change: Partial<LockState>): void {
  state = { ...state, ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(state))
  } catch {
    // Storage is full or forbidden: it holds for this page.
  }
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

// Locked or unlocked in one tab, the device is.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  state = read()
  tell()
})

watchSession(() => {
  const next = read()
  if (next.session === state.session) return
  isAsked = false
  become(next)
})

/** What stands in the place of the page: the lock, or the question for a code; null when the page is there. */
export type Veil = 'locked' | 'asks-code' | null
const currentVeil = (): Veil => {
  if (currentSession() === null) return null
  return state.locked ? 'locked' : isAsked ? 'asks-code' : null
}

const watch = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useVeil = (): Veil => useSyncExternalStore(watch, currentVeil)
export const useIdleMinutes = (): number => useSyncExternalStore(watch, () => state.minutes)

export const isVeiled = (): boolean => currentVeil() !== null

export function setIdleMinutes(minutes: number): void {
  const isKept = stored()?.session === state.session
  if (minutes !== state.minutes || (minutes > 0 && !isKept)) become({ minutes })
}

/** Asks for a code before anything else. */
export function askForCode(): void {
  isAsked = true
  tell()
}

/** The right code, the right password, or a code that was just chosen. */
export function unlock(): void {
  isAsked = false
  become({ locked: false, gesture_at: Date.now() })
}

/** Between two notes of a gesture where the other pages read it. */
const noteMs = 5_000
let noted = state.gesture_at

export function noteGesture(now = Date.now()): void {
  state.gesture_at = now
  if (Math.abs(now - noted) < noteMs || state.minutes === 0) return
  noted = now
  // Another page may have locked a moment ago.
  become({ ...read(), gesture_at: now })
}

/**
 * Locks when nobody made a gesture for the time that the library chose; answers whether it did. A clock that was moved further than that
 * locks too: how long nobody was there is then not known.
 */
export function lockIfIdle(now = Date.now()): boolean {
  if (state.minutes === 0 || state.locked || currentSession() === null) return false
  const isLongAgo = (at: number) => Math.abs(now - at) >= state.minutes * 60_000
  const kept = stored()
  // Somebody may be at another page of the device.
  const heard = kept?.session === state.session ? kept.gesture_at : state.gesture_at
  if (!isLongAgo(state.gesture_at) || !isLongAgo(heard)) return false
  become({ locked: true })
  return true
}

// Nothing is shown of a page that is opened long after it was left.
lockIfIdle()
