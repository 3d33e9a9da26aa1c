import { Button, Stack, Text } from '@mantine/core'
import { IconBuildingCommunity, IconCheck, IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import * as v from 'valibot'

import type { CurrentUser } from '../../contract/session.ts'
import { chooseSite, type ChosenSite, currentSession, keepSite, useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { useIsBasketHalfMade } from '../ui/forms/basket-guard.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { useSiteChoices } from './site-data.ts'
import { useSignOut } from './use-sign-out.ts'

const lastSchema = v.array(
  v.object({ environment_id: v.nullable(v.number()), user_id: v.number(), site_id: v.number() }),
)
type Last = v.InferOutput<typeof lastSchema>

const storageKey = 'comptoir.last_sites'
const mostKept = 50

function read(): Last {
  try {
    const parsed = v.safeParse(lastSchema, JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
    return parsed.success ? parsed.output : []
  } catch {
    return []
  }
}

function rememberLastSite(environment_id: number | null, user_id: number, site_id: number): void {
  const others = read().filter((one) => one.environment_id !== environment_id || one.user_id !== user_id)
  const last = [{ environment_id, user_id, site_id }, ...others].slice(0, mostKept)
  try {
    localStorage.setItem(storageKey, JSON.stringify(last))
  } catch {
    // Storage is full or forbidden: the next sign-in preselects nothing.
  }
}

type UsualSite = { id: number; note: string }

/** The person's last site here, else where they worked last elsewhere, else the device's last; null without any. */
function usualSiteOf(
  environment_id: number | null,
  { id, sites, usual_site }: Pick<CurrentUser, 'id' | 'sites' | 'usual_site'>,
): UsualSite | null {
  const here = read().filter((one) => one.environment_id === environment_id)
  const own = here.find(({ user_id }) => user_id === id)
  if (!own && sites.some((site) => site.id === usual_site))
    return { id: usual_site!, note: 'Votre dernier site' }
  const last = own ?? here[0]
  return last ? { id: last.site_id, note: 'Dernier site de cet appareil' } : null
}

/** Reloads, so that nothing of another site is left on the page. */
function choose(site: ChosenSite, keep: (site: ChosenSite) => void) {
  const session = currentSession()
  if (session?.user) rememberLastSite(session.environment_id, session.user.id, site.id)
  keep(site)
  location.reload()
}

/** No screen stands yet, and loading for it would be cut off. */
const chooseFirst = (site: ChosenSite) => choose(site, keepSite)

export function ForcedChoice({ user, waiting }: { user: CurrentUser; waiting: ReactNode }) {
  const choices = useSiteChoices(user)
  const environment_id = useSession()?.environment_id ?? null
  const signOut = useSignOut({ asksAlways: true })
  // It opens once its choices are known, so that the focus starts on the usual one.
  if (choices.length === 0) return waiting
  return (
    <Dialog
      onClose={() => void signOut()}
      title="Choisissez votre site"
      // The Enter that sent the password must not choose.
      isUnasked
      withCloseButton={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.15 }}
      size="md"
    >
      <Text mb="xs">{inWords('Vos prêts et vos listes seront ceux de ce site.')}</Text>
      <SiteList choices={choices} usual={usualSiteOf(environment_id, user)} onChoose={chooseFirst} />
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
    </Dialog>
  )
}

type ChangeSiteProps = { user: CurrentUser; current: ChosenSite; isOpen: boolean; onClose: () => void }

export function ChangeSite({ user, current, isOpen, onClose }: ChangeSiteProps) {
  const choices = useSiteChoices(user)
  const isHalfMade = useIsBasketHalfMade()
  const confirm = useConfirm()
  const onChoose = async (site: ChosenSite) => {
    onClose()
    if (site.id === current.id) return
    if (
      isHalfMade &&
      !(await confirm({ title: 'Changer de site ?', message: basketWarning, acts: 'destroys' }))
    )
      return
    // At once, because whoever stays when asked about leaving is already at the other site.
    choose(site, chooseSite)
  }
  return (
    <Dialog isOpen={isOpen && choices.length > 0} onClose={onClose} title="Changer de site" size="md">
      <SiteList
        choices={choices}
        usual={{ id: current.id, note: 'Site actuel' }}
        onChoose={(site) => void onChoose(site)}
      />
    </Dialog>
  )
}

const basketWarning = 'Un prêt ou un retour est commencé et n’est pas enregistré : il sera abandonné.'

type SiteListProps = {
  choices: readonly ChosenSite[]
  usual: UsualSite | null
  onChoose: (site: ChosenSite) => void
}

/** The focus starts on the usual one, else on the list, where Enter chooses none. */
function SiteList({ choices, usual, onChoose }: SiteListProps) {
  const isUsualThere = choices.some(({ id }) => id === usual?.id)
  return (
    <Stack gap="xs" role="group" aria-label="Sites" tabIndex={-1} data-autofocus={!isUsualThere || undefined}>
      {choices.map((site) => {
        const isPreselected = site.id === usual?.id
        return (
          <Button
            key={site.id}
            variant={isPreselected ? 'light' : 'default'}
            justify="flex-start"
            h="auto"
            py={6}
            aria-current={isPreselected ? 'true' : undefined}
            leftSection={
              isPreselected ? (
                <IconCheck size="1.2em" aria-hidden />
              ) : (
                <IconBuildingCommunity size="1.2em" aria-hidden />
              )
            }
            data-autofocus={isPreselected || undefined}
            onClick={() => onChoose(site)}
          >
            <Stack component="span" gap={0} align="flex-start">
              {site.name}
              {isPreselected ? (
                <Text span size="sm" fw={400}>
                  {usual.note}
                </Text>
              ) : null}
            </Stack>
          </Button>
        )
      })}
    </Stack>
  )
}
