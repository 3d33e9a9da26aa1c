import { useSyncExternalStore } from 'react'

import type { CurrentUser } from '../../contract/session.ts'
import { emitter } from '../../domain/emitter.ts'
import type { Right } from '../../domain/rights.ts'

// The specification keeps token and user in local storage, the site in session storage.

export type ChosenSite = { id: number; name: string }
/** `environment_id` is null in sessions older than this field. */
export type Session = {
  token: string
  environment_id: number | null
  user: CurrentUser | null
  site: ChosenSite | null
  /** The profile by whose eyes this tab shows menus and buttons; the person's rights stay as they are. */
  seen_as: SeenAs | null
}
type SeenAs = { name: string; rights: readonly Right[] }

const { tell, watch } = emitter()
let current: Session | null = read()

function read(): Session | null {
  const token = localStorage.getItem('token')
  if (!token) return null
  const user = readUser()
  return {
    token,
    environment_id: Number(localStorage.getItem('environment_id')) || null,
    user,
    site: readSite(user),
    seen_as: parsed(sessionStorage.getItem('seen_as')) as SeenAs | null,
  }
}

/** By the name that the site has now, where the person is told it. */
function readSite(user: CurrentUser | null): ChosenSite | null {
  const kept = sessionStorage.getItem('site_id')
  if (kept === null) return null
  const id = Number(kept)
  const told = user?.sites?.find((site) => site.id === id)
  return { id, name: told?.name ?? sessionStorage.getItem('site_name') ?? '' }
}

function readUser(): CurrentUser | null {
  return parsed(localStorage.getItem('user')) as CurrentUser | null
}

function parsed(written: string | null): unknown {
  try {
    return JSON.parse(written ?? 'null')
  } catch {
    return null
  }
}

function refresh() {
  current = read()
  tell()
}

addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === 'user' || event.key === null) refresh()
})

export const currentSession = (): Session | null => current

export function beginSession(token: string, environment_id: number): void {
  // The environment first, because the other tabs read both when the token changes.
  localStorage.setItem('environment_id', String(environment_id))
  localStorage.removeItem('user')
  sessionStorage.removeItem('seen_as')
  localStorage.setItem('token', token)
  refresh()
}

export function rememberUser(user: CurrentUser): void {
  localStorage.setItem('user', JSON.stringify(user))
  refresh()
}

/** For this tab alone, and told to nobody; null ends it. */
export function seeAs(profile: SeenAs | null): void {
  if (profile) sessionStorage.setItem('seen_as', JSON.stringify(profile))
  else sessionStorage.removeItem('seen_as')
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

export function leaveSession(): void {
  // These name readers (client/find/find-dialog.tsx) or the library (client/settings/parameter-data.ts).
  const kept = [
    'token',
    'user',
    'environment_id',
    'recent_finds',
    'parameter.work_council',
    'parameter.multisite',
  ]
  for (const key of kept) localStorage.removeItem(key)
  for (const key of ['site_id', 'site_name', 'seen_as']) sessionStorage.removeItem(key)
  refresh()
}

export const watchSession = watch

/** Tells when what a page keeps is no longer for who is there: the session has ended, or another person or another site follows. */
export function watchLeaving(listener: () => void): () => void {
  let before = current
  return watchSession(() => {
    const left = before
    before = current
    if (left !== null && isLeft(left)) listener()
  })
}

/** Who is only now known, or has only now chosen a site, leaves nothing. */
const isLeft = ({ environment_id, user, site }: Session): boolean =>
  current === null ||
  current.environment_id !== environment_id ||
  (user !== null && current.user?.id !== user.id) ||
  (site !== null && current.site?.id !== site.id)

export const useSession = (): Session | null => useSyncExternalStore(watchSession, currentSession)

const noRights: readonly Right[] = []
const shown = new WeakMap<Session, readonly Right[]>()

/** The rights by which screens show themselves: while they are seen as a profile's, those that both hold. */
function shownRights(session: Session | null): readonly Right[] {
  if (!session?.user) return noRights
  const { user, seen_as } = session
  if (!seen_as) return user.rights
  const known = shown.get(session) ?? user.rights.filter((right) => seen_as.rights.includes(right))
  shown.set(session, known)
  return known
}

export const useRights = (): readonly Right[] => shownRights(useSession())

/** Any of several rights. It only hides: the server refuses all the same. */
export function useRight(...wanted: Right[]): boolean {
  const rights = useRights()
  return wanted.some((right) => rights.includes(right))
}
