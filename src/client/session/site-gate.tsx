import { Box, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'

import type { CurrentUser } from '../../contract/session.ts'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { ErrorState } from '../ui/states.tsx'
import { type ChosenSite, chooseSite, useSession } from '../api/session.ts'
import { allSites } from './site-data.ts'
import { useSignOut } from './use-sign-out.ts'
import { meQuery } from './user-data.ts'

// Loaded on demand: most people have one site, and the others choose once a day.
const ForcedChoice = lazy(async () => ({ default: (await import('./site-dialogs.tsx')).ForcedChoice }))
const ChangeSite = lazy(async () => ({ default: (await import('./site-dialogs.tsx')).ChangeSite }))

const ChangeSiteContext = createContext<(() => void) | null>(null)

export const useChangeSite = (): (() => void) | null => useContext(ChangeSiteContext)

/** One site is chosen silently; among several the choice is forced, or signs out. */
export function SiteGate({ children }: { children: ReactNode }) {
  const session = useSession()
  const query = useQuery({ ...meQuery(session?.token ?? ''), enabled: session !== null })
  const user = session?.user ?? null
  const site = user && isOpenTo(user, session?.site ?? null)
  const isMultisite = useFlagParameter('multisite') ?? true
  const only = user && onlyChoice(user, isMultisite)
  const [isChanging, setChanging] = useState(false)
  const [wasAsked, setAsked] = useState(false)
  const changeSite = useMemo(
    () =>
      only
        ? null
        : () => {
            setAsked(true)
            setChanging(true)
          },
    [only],
  )

  useEffect(() => {
    if (!site && only) chooseSite(only)
  }, [site, only])

  if (!user) return <Unknown error={query.error} onRetry={query.refetch} />
  if (!site)
    return only ? (
      <Waiting />
    ) : (
      <Suspense fallback={<Waiting />}>
        <ForcedChoice user={user} waiting={<Waiting />} />
      </Suspense>
    )
  return (
    <ChangeSiteContext value={changeSite}>
      {children}
      {wasAsked ? (
        <Suspense fallback={null}>
          <ChangeSite user={user} current={site} isOpen={isChanging} onClose={() => setChanging(false)} />
        </Suspense>
      ) : null}
    </ChangeSiteContext>
  )
}

/** The only site, or all of a library with a single site; null where the person chooses. */
function onlyChoice({ sites }: CurrentUser, isMultisite: boolean): ChosenSite | null {
  if (sites.length > 1) return isMultisite ? null : allSites
  return sites[0] ?? allSites
}

/** A site chosen by somebody else in this tab, or closed since, does not count. */
function isOpenTo(user: CurrentUser, site: ChosenSite | null): ChosenSite | null {
  const isOpen = site?.id === 0 || user.sites.some(({ id }) => id === site?.id)
  return isOpen ? site : null
}

function Waiting() {
  return (
    <Box p="xl">
      <ScreenSkeleton />
    </Box>
  )
}

function Unknown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const signOut = useSignOut()
  if (!error) return <Waiting />
  return (
    <main>
      <ErrorState error={error} onRetry={onRetry} />
      <Stack align="center">
        <Button variant="subtle" color="gray" c="inherit" onClick={() => void signOut()}>
          Se déconnecter
        </Button>
      </Stack>
    </main>
  )
}
