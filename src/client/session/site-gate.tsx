import { Box, Button, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBuildingCommunity, IconCheck, IconLogout } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

import type { CurrentUser } from '../../contract/session.ts'
import { useIsBasketHalfMade } from '../ui/basket-guard.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { ErrorState } from '../ui/states.tsx'
import { type ChosenSite, chooseSite, useSession } from './session.ts'
import { allSites, useSiteChoices } from './site-data.ts'
import { useSignOut } from './use-sign-out.ts'
import { meQuery } from './user-data.ts'

const ChangeSiteContext = createContext<(() => void) | null>(null)

/** Opens the choice of site; null where there is nothing to choose. */
export const useChangeSite = (): (() => void) | null => useContext(ChangeSiteContext)

/**
 * Lets the screens show once the person and their site are known. One site is chosen silently; among several a choice is forced,
 * and closing it signs out (file 2, « Top bar »). Works off line with the person as last known.
 */
export function SiteGate({ children }: { children: ReactNode }) {
  const session = useSession()
  const query = useQuery({ ...meQuery(session?.token ?? ''), enabled: session !== null })
  const user = session?.user ?? null
  const site = user && isOpenTo(user, session?.site ?? null)
  const only = user && user.sites.length <= 1 ? (user.sites[0] ?? allSites) : null
  const [isChanging, setChanging] = useState(false)
  const changeSite = useMemo(() => (only ? null : () => setChanging(true)), [only])

  useEffect(() => {
    if (!site && only) chooseSite(only)
  }, [site, only])

  if (!user) return <Unknown error={query.error} onRetry={() => void query.refetch()} />
  if (!site) return only ? <Waiting /> : <ForcedChoice user={user} />
  return (
    <ChangeSiteContext value={changeSite}>
      {children}
      <ChangeSite user={user} current={site} isOpen={isChanging} onClose={() => setChanging(false)} />
    </ChangeSiteContext>
  )
}

/** A site chosen by somebody else in this tab, or closed to the person since, is no choice. */
function isOpenTo(user: CurrentUser, site: ChosenSite | null): ChosenSite | null {
  const isOpen = site?.id === 0 || user.sites.some(({ id }) => id === site?.id)
  return isOpen ? site : null
}

/** Stores the choice and loads the page again, so that nothing of another site is left on it. */
function choose(site: ChosenSite) {
  chooseSite(site)
  location.reload()
}

function ForcedChoice({ user }: { user: CurrentUser }) {
  const choices = useSiteChoices(user)
  const signOut = useSignOut()
  return (
    <Modal
      opened
      onClose={() => void signOut()}
      title="Choisissez votre site"
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.15 }}
      size="md"
    >
      <SiteList choices={choices} current={null} onChoose={choose} />
      <Button
        variant="subtle"
        color="gray"
        c="inherit"
        mt="md"
        leftSection={<IconLogout size="1.2em" aria-hidden />}
        onClick={() => void signOut()}
      >
        Se déconnecter
      </Button>
    </Modal>
  )
}

type ChangeSiteProps = { user: CurrentUser; current: ChosenSite; isOpen: boolean; onClose: () => void }

function ChangeSite({ user, current, isOpen, onClose }: ChangeSiteProps) {
  const choices = useSiteChoices(user)
  const isHalfMade = useIsBasketHalfMade()
  const confirm = useConfirm()
  const onChoose = async (site: ChosenSite) => {
    onClose()
    if (site.id === current.id) return
    if (isHalfMade && !(await confirm({ title: 'Changer de site ?', message: basketWarning }))) return
    choose(site)
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Changer de site" size="md">
      <SiteList choices={choices} current={current} onChoose={(site) => void onChoose(site)} />
    </Modal>
  )
}

const basketWarning = 'Un prêt ou un retour est commencé et n’est pas enregistré : il sera abandonné.'

type SiteListProps = {
  choices: readonly ChosenSite[]
  current: ChosenSite | null
  onChoose: (site: ChosenSite) => void
}

function SiteList({ choices, current, onChoose }: SiteListProps) {
  return (
    <Stack gap="xs">
      {current ? null : <Text>Vos prêts et vos listes seront ceux de ce site.</Text>}
      {choices.map((site, index) => (
        <Button
          key={site.id}
          variant={site.id === current?.id ? 'light' : 'default'}
          justify="flex-start"
          aria-current={site.id === current?.id ? 'true' : undefined}
          leftSection={
            site.id === current?.id ? (
              <IconCheck size="1.2em" aria-hidden />
            ) : (
              <IconBuildingCommunity size="1.2em" aria-hidden />
            )
          }
          data-autofocus={index === 0 || undefined}
          onClick={() => onChoose(site)}
        >
          {site.name}
        </Button>
      ))}
    </Stack>
  )
}

function Waiting() {
  return (
    <Box p="xl">
      <ScreenSkeleton />
    </Box>
  )
}

/** The person is not known yet: being asked, or the network failed before they ever were. */
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
