import { useSyncExternalStore } from 'react'

import type { CurrentUser } from '../../contract/session.ts'
import type { Right } from '../../domain/rights.ts'

// The session as the specification keeps it: token and user in local storage, site id and name in session storage.
// Preferences of the device (theme, sound…) live beside and survive it.

export type ChosenSite = { id: number; name: string }
/** `environment_id` tells whose waiting actions this person's are; null in sessions that began before it was kept. */
export type Session = {
  token: string
  environment_id: number | null
  user: CurrentUser | null
  site: ChosenSite | null
}

const listeners = new Set<() => void>()
let current: Session | null = read()

function read(): Session | null {
  const token = localStorage.getItem('token')
  if (!token) return null
  const site_id = sessionStorage.getItem('site_id')
  return {
    token,
    environment_id: Number(localStorage.getItem('environment_id')) || null,
    user: readUser(),
    site: site_id === null ? null : { id: Number(site_id), name: sessionStorage.getItem('site_name') ?? '' },
  }
}

function readUser(): CurrentUser | null {
  try {
    return JSON.parse(localStorage.getItem('user') ?? 'null') as CurrentUser | null
  } catch {
    // Not ours any more: the server is asked again.
    return null
  }
}

function refresh() {
  current = read()
  for (const listener of listeners) listener()
}

// Signing out in one tab signs out the others.
addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === 'user' || event.key === null) refresh()
})

export const currentSession = (): Session | null => current

export function beginSession(token: string, environment_id: number): void {
  // The environment first: the other tabs read all of it when they hear of the token.
  localStorage.setItem('environment_id', String(environment_id))
  localStorage.removeItem('user')
  localStorage.setItem('token', token)
  refresh()
}

export function rememberUser(user: CurrentUser): void {
  localStorage.setItem('user', JSON.stringify(user))
  refresh()
}

/** Site 0 is all sites. */
export function chooseSite(site: ChosenSite): void {
  keepSite(site)
  refresh()
}

/** Chooses it for the page that is loaded next; this one is left as it is. */
export function keepSite({ id, name }: ChosenSite): void {
  sessionStorage.setItem('site_id', String(id))
  sessionStorage.setItem('site_name', name)
}

export function endSession(): void {
  // What was opened lately names readers (see client/find/recent-finds.ts).
  for (const key of ['token', 'user', 'environment_id', 'recent_finds']) localStorage.removeItem(key)
  for (const key of ['site_id', 'site_name']) sessionStorage.removeItem(key)
  refresh()
}

export function watchSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session | null => useSyncExternalStore(watchSession, currentSession)

/** Whether the signed-in person holds a right (any of several). Hides only: the server refuses all the same. */
export function useRight(...wanted: Right[]): boolean {
  const rights = useSession()?.user?.rights ?? []
  return wanted.some((right) => rights.includes(right))
}
