import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { emitter } from '../../domain/emitter.ts'
import { currentSession, watchSession } from '../api/session.ts'

// Kept beside the session, so that a reloaded or new page knows at once.

const shape = v.object({
  /** The end of the session's token. */
  session: v.string(),
  locked: v.boolean(),
  /** Minutes without a gesture before locking, as last known; 0 is never. */
  minutes: v.number(),
  /** The last gesture on any page, by the device's clock. */
  gesture_at: v.number(),
})
type LockState = v.InferOutput<typeof shape>

const storageKey = 'comptoir.lock'
const { tell, watch } = emitter()
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
    // Storage is full or forbidden: the state holds for this page.
  }
  tell()
}

// Locking or unlocking one tab does so for the device.
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

/** What replaces the page; null when the page is shown. */
type Veil = 'locked' | 'asks-code' | null
const currentVeil = (): Veil => {
  if (currentSession() === null) return null
  return state.locked ? 'locked' : isAsked ? 'asks-code' : null
}

export const useVeil = (): Veil => useSyncExternalStore(watch, currentVeil)
export const useIdleMinutes = (): number => useSyncExternalStore(watch, () => state.minutes)

export const isVeiled = (): boolean => currentVeil() !== null

export function setIdleMinutes(minutes: number): void {
  const isKept = stored()?.session === state.session
  if (minutes !== state.minutes || (minutes > 0 && !isKept)) become({ minutes })
}

export function askForCode(): void {
  isAsked = true
  tell()
}

export function unlock(): void {
  isAsked = false
  become({ locked: false, gesture_at: Date.now() })
}

/** Between two writes of the last gesture for the other pages. */
const noteMs = 5_000
let noted = state.gesture_at

export function noteGesture(now = Date.now()): void {
  state.gesture_at = now
  if (Math.abs(now - noted) < noteMs || state.minutes === 0) return
  noted = now
  // Another page may have locked a moment ago.
  become({ ...read(), gesture_at: now })
}

/** Locks after the idle time or a larger jump of the clock, which hides it; answers whether it did. */
export function lockIfIdle(now = Date.now()): boolean {
  if (state.minutes === 0 || state.locked || currentSession() === null) return false
  const isLongAgo = (at: number) => Math.abs(now - at) >= state.minutes * 60_000
  const kept = stored()
  // Somebody may be using another page of the device.
  const heard = kept?.session === state.session ? kept.gesture_at : state.gesture_at
  if (!isLongAgo(state.gesture_at) || !isLongAgo(heard)) return false
  become({ locked: true })
  return true
}

// A page opened long after it was left shows nothing.
lockIfIdle()
