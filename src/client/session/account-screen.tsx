import { Button, Group, Text, Title } from '@mantine/core'
import { IconBuildingCommunity, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import { InstallPanel } from '../ui/install-prompt.tsx'
import { appVersion } from '../ui/version.ts'
import { Page } from '../ui/page.tsx'
import { counted } from '../ui/words.ts'
import styles from './account-screen.module.css'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DevicePreferences } from './device-preferences.tsx'
import { useRight, useSession } from './session.ts'
import { useChangeSite } from './site-gate.tsx'
import { StorageState } from './storage-state.tsx'
import { useSignOut } from './use-sign-out.ts'

/** The person's own page: who they are, their password, and what concerns this device. */
export default function AccountScreen() {
  const session = useSession()
  const changeSite = useChangeSite()
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
              <dd>{[user.firstname, user.lastname].filter(Boolean).join(' ') || user.username}</dd>
              <dt>Utilisateur</dt>
              <dd>{user.username}</dd>
              {user.email ? (
                <>
                  <dt>Courriel</dt>
                  <dd>{user.email}</dd>
                </>
              ) : null}
              <dt>Profil</dt>
              <dd>
                {user.role}, {counted(user.rights.length, 'droit', 'droits')}
              </dd>
              <dt>Site</dt>
              <dd>{session.site?.name}</dd>
            </dl>
            {changeSite ? (
              <Group mt="md">
                <Button
                  variant="default"
                  leftSection={<IconBuildingCommunity size="1.2em" aria-hidden />}
                  onClick={changeSite}
                >
                  Changer de site
                </Button>
              </Group>
            ) : null}
          </Panel>
          <Panel title="Mot de passe">
            <ChangePasswordForm username={user.username} />
          </Panel>
        </div>
        <div className={styles['column']}>
          <Panel title="Préférences de cet appareil">
            <DevicePreferences />
          </Panel>
          {isCounter ? (
            <Panel title="Travail hors ligne">
              <StorageState />
            </Panel>
          ) : null}
          <Panel title="Application">
            <InstallPanel />
            <Text size="sm" c="dimmed" mt="sm">
              Comptoir, version {appVersion}
            </Text>
          </Panel>
        </div>
      </div>
    </Page>
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
