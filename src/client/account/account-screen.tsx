import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconBuildingCommunity, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'

import { accountName } from '../../domain/person-names.ts'
import { canHoldLockCode } from '../../offline/lock-code.ts'
import { ChooseCodeForm } from '../lock/choose-code-form.tsx'
import { useIdleMinutes } from '../lock/lock-state.ts'
import { useLockPerson } from '../lock/use-lock-person.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { InstallPanel } from '../ui/install-prompt.tsx'
import { appVersion } from '../../domain/app-version.ts'
import { Page } from '../ui/page.tsx'
import { counted } from '../ui/words.ts'
import styles from './account-screen.module.css'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DevicePreferences } from './device-preferences.tsx'
import { canKeepImages, KeptImagesPanel } from './kept-images-panel.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { useRight, useSession } from '../api/session.ts'
import { useChangeSite } from '../session/site-gate.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { StorageState } from './storage-state.tsx'
import { useSignOut } from '../session/use-sign-out.ts'
import { inWords } from '../page/house-words.ts'

export default function AccountScreen() {
  const session = useSession()
  const changeSite = useChangeSite()
  const isMultisite = useIsMultisite()
  const signOut = useSignOut()
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const user = session?.user
  if (!user) return null

  return (
    <Page
      title="Mon compte"
      actions={
        <Button
          variant="default"
          leftSection={<IconLogout size="1.2em" aria-hidden />}
          onClick={() => void signOut()}
        >
          Se déconnecter
        </Button>
      }
    >
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Panel title="Qui je suis">
            <dl className={styles['facts']}>
              <dt>Nom</dt>
              <dd>{accountName(user)}</dd>
              <dt>{inWords('Utilisateur')}</dt>
              <dd>{user.username}</dd>
              {user.email ? (
                <>
                  <dt>Courriel</dt>
                  <dd>{user.email}</dd>
                </>
              ) : null}
              <dt>Profil</dt>
              <dd>
                {user.role}, {counted(user.rights.length, 'droit', 'droits', 'aucun droit')}
              </dd>
              {isMultisite ? (
                <>
                  <dt>{inWords('Site')}</dt>
                  <dd>{session.site?.name}</dd>
                </>
              ) : null}
            </dl>
            {changeSite ? (
              <Group mt="md">
                <Button
                  variant="default"
                  leftSection={<IconBuildingCommunity size="1.2em" aria-hidden />}
                  onClick={changeSite}
                >
                  {inWords('Changer de site')}
                </Button>
              </Group>
            ) : null}
          </Panel>
          <Panel title="Mot de passe">
            <Text mb="md">Vos sessions ouvertes sur d’autres appareils prendront fin.</Text>
            <ChangePasswordForm username={user.username} />
          </Panel>
          <Panel title="Préférences de cet appareil">
            <Text mb="md">Elles valent ici pour toutes les personnes qui se connectent.</Text>
            <DevicePreferences />
          </Panel>
        </div>
        {/* From here on what has no height of its own before it is known, each after the other. */}
        <div className={`in-turn ${styles['column']}`}>
          <LockCodePanel />
          <Panel title="Deuxième facteur">
            <SecondFactorPanel username={user.username} />
          </Panel>
          {isCounter ? (
            <Panel title="Travail hors ligne">
              <StorageState />
            </Panel>
          ) : null}
          {canKeepImages() ? (
            <Panel title="Images hors ligne">
              <KeptImagesPanel />
            </Panel>
          ) : null}
          <Panel title="Mes sessions">
            <OwnSessions user_id={user.id} />
          </Panel>
          <Panel title="Application">
            <InstallPanel />
            <Text size="sm" c="dimmed" mt="sm">
              Comptoir, version {appVersion}
            </Text>
            <Anchor className={styles['licences']} href="/licences.txt" target="_blank" size="sm">
              Licences des logiciels employés
            </Anchor>
            <br />
            <Anchor component={Link} className={styles['licences'] ?? ''} to="/accessibility" size="sm">
              Accessibilité&#8239;: non conforme
            </Anchor>
          </Panel>
        </div>
      </div>
    </Page>
  )
}

/** Only where the library locks idle screens. */
function LockCodePanel() {
  const minutes = useIdleMinutes()
  const person = useLockPerson()
  if (minutes === 0 || !person || !canHoldLockCode()) return null
  return (
    <Panel title="Code de verrouillage">
      <Text mb="md">
        L’écran se verrouille après {counted(minutes, 'minute', 'minutes')} sans geste. Ce code le
        déverrouille sur cet appareil seulement, et il est oublié à la déconnexion.
      </Text>
      <ChooseCodeForm person={person} />
    </Panel>
  )
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <Title order={2} size="h4" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </section>
  )
}
