import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBuildingCommunity, IconLogout } from '@tabler/icons-react'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Link } from 'react-router-dom'

import { changePassword } from '../../contract/passwords.ts'
import { getSecondFactor } from '../../contract/second-factor.ts'
import { appVersion } from '../../domain/app-version.ts'
import { accountName } from '../../domain/person-names.ts'
import { canHoldLockCode } from '../../offline/lock-code.ts'
import { call } from '../api/call.ts'
import { useRight, useSession } from '../api/session.ts'
import { ChooseCodeForm } from '../lock/choose-code-form.tsx'
import { useIdleMinutes } from '../lock/lock-state.ts'
import { useLockPerson } from '../lock/use-lock-person.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { useEnvironment } from '../session/environment-data.ts'
import { faultsOfNewPassword, NewPasswordFields } from '../session/new-password.tsx'
import { OwnPassword } from '../session/own-password.tsx'
import { SessionNote } from '../session/session-note.tsx'
import { useChangeSite } from '../session/site-gate.tsx'
import { useSignOut } from '../session/use-sign-out.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { InstallPanel } from '../ui/install-prompt.tsx'
import { Page } from '../ui/page.tsx'
import { UnreadState } from '../ui/states.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import styles from './account-screen.module.css'
import { DevicePreferences } from './device-preferences.tsx'
import { canKeepImages, KeptImagesPanel } from './kept-images-panel.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { StorageState } from './storage-state.tsx'

const secondFactorQuery = queryOptions({
  queryKey: ['second_factor', 'own'],
  queryFn: ({ signal }) => call(getSecondFactor, { signal }),
})

const SecondFactorDialog = lazy(() => import('./second-factor-dialog.tsx'))

/** A code of the telephone beside the password, at will or because the profile asks for it. */
function SecondFactorPanel({ username }: { username: string }) {
  const { data: environment } = useEnvironment()
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const [asked, setAsked] = useState<'set' | 'renew' | 'remove' | null>(null)
  if (!data || !environment) return <UnreadState error={data ? null : error} onRetry={refetch} h="5rem" />
  if (environment.demonstration) {
    return <Text>Les comptes de la démonstration n’ont pas de deuxième facteur.</Text>
  }
  const { confirmed_at, recovery_codes_left, required } = data
  return (
    <>
      {confirmed_at === null ? (
        <Text>À la connexion, un code de votre téléphone peut s’ajouter à votre mot de passe.</Text>
      ) : (
        <Text>
          En service depuis le {frenchInstant(confirmed_at)}.{' '}
          {counted(
            recovery_codes_left,
            'code de secours reste',
            'codes de secours restent',
            'Aucun code de secours ne reste',
          )}
          .{required ? ' Votre profil le demande\u202f: retiré, il est aussitôt à choisir de nouveau.' : ''}
        </Text>
      )}
      <Group mt="md">
        {confirmed_at === null ? (
          <Button onClick={() => setAsked('set')}>Choisir un deuxième facteur</Button>
        ) : (
          <>
            <Button variant="default" onClick={() => setAsked('renew')}>
              Nouveaux codes de secours
            </Button>
            <Button variant="default" onClick={() => setAsked('remove')}>
              Retirer
            </Button>
          </>
        )}
      </Group>
      {asked === null ? null : (
        <Suspense fallback={null}>
          <SecondFactorDialog what={asked} username={username} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

/** The person's sessions elsewhere end. */
function ChangePasswordForm({ username }: { username: string }) {
  const form = useForm(changePassword, {
    initial: { current_password: '', new_password: '' },
    unsent: { again: '' },
    check: ({ current_password, new_password, again }) => ({
      ...(current_password ? {} : { current_password: 'Saisissez votre mot de passe actuel.' }),
      ...faultsOfNewPassword('new_password', new_password, again),
    }),
    onSaved: ({ message }) => {
      form.restart()
      say(message)
    },
  })
  return (
    <FormElement form={form}>
      <Stack gap="md">
        {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
        <OwnPassword
          username={username}
          enterKeyHint="next"
          {...form.secret('current_password', 'Mot de passe actuel')}
        />
        <NewPasswordFields form={form} field="new_password" />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isPending}>
            Changer le mot de passe
          </Button>
        </Group>
      </Stack>
    </FormElement>
  )
}

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
      actions={[{ label: 'Se déconnecter', Icon: IconLogout, onRun: () => void signOut() }]}
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
