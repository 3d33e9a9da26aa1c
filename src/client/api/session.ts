import { useSyncExternalStore } from 'react'

import type { CurrentUser } from '../../contract/session.ts'
import type { Right } from '../../domain/rights.ts'

// The specification keeps token and user in local storage, the site in session storage.

export type ChosenSite = { id: number; name: string }
/** `environment_id` is null in sessions older than this field. */
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
    return null
  }
}

function refresh() {
  current = read()
  for (const listener of listeners) listener()
}

addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === 'user' || event.key === null) refresh()
})

export const currentSession = (): Session | null => current

export function beginSession(token: string, environment_id: number): void {
  // The environment first, because the other tabs read both when the token changes.
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

export function keepSite({ id, name }: ChosenSite): void {
  sessionStorage.setItem('site_id', String(id))
  sessionStorage.setItem('site_name', name)
}

export function endSession(): void {
  // These name readers (client/find/recent-finds.ts) or the library (client/settings/parameter-data.ts).
  const kept = [
    'token',
    'user',
    'environment_id',
    'recent_finds',
    'parameter.work_council',
    'parameter.multisite',
  ]
  for (const key of kept) localStorage.removeItem(key)
  for (const key of ['site_id', 'site_name']) sessionStorage.removeItem(key)
  refresh()
}

export function watchSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session | null => useSyncExternalStore(watchSession, currentSession)

/** Any of several rights. It only hides: the server refuses all the same. */
export function useRight(...wanted: Right[]): boolean {
  const rights = useSession()?.user?.rights ?? []
  return wanted.some((right) => rights.includes(right))
}
