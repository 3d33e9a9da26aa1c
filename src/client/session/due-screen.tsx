import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'

import { choosePassword } from '../../contract/passwords.ts'
import { queryClient } from '../api/query-client.ts'
import { rememberUser, useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { usePrinted } from '../ui/printing.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { destinationOf } from './destination.ts'
import { faultsOfNewPassword, NewPasswordFields } from './new-password.tsx'
import { PasswordOwner } from './own-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'
import { SetUpFactor } from './set-up-factor.tsx'
import { useSignOut } from './use-sign-out.ts'
import { meQuery } from './user-data.ts'

/** What must be chosen before anything else: an invited person's password, a profile's second factor. */
export default function DueScreen() {
  const session = useSession()
  const destination = destinationOf(useLocation().state)
  const signOut = useSignOut()
  const { turn, sheet } = usePrinted()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const user = session?.user
  if (!session || !user) return <Navigate to="/login" replace />
  // Recovery codes are shown once nothing is due any more.
  if (user.due === undefined && !codes) return <Navigate to={destination} replace />
  const goOn = async () => {
    rememberUser(await queryClient.fetchQuery({ ...meQuery(session.token), staleTime: 0 }))
    setCodes(null)
  }
  const leave = (
    <Anchor component="button" type="button" py="xs" ta="center" onClick={() => void signOut()}>
      Se déconnecter
    </Anchor>
  )
  if (codes) {
    return (
      <SessionFrame title="Codes de secours">
        <RecoveryCodes codes={codes} username={user.username} onKept={() => void goOn()} />
        <div key={turn}>{sheet}</div>
      </SessionFrame>
    )
  }
  if (user.due === 'password') {
    return (
      <SessionFrame title="Choisissez votre mot de passe">
        <FirstPassword username={user.username} onChosen={goOn} />
        {leave}
      </SessionFrame>
    )
  }
  return (
    <SessionFrame title="Deuxième facteur">
      <Text>
        Votre profil demande un deuxième facteur{'\u202f'}: à la connexion, un code de votre téléphone
        s’ajoutera à votre mot de passe.
      </Text>
      <SetUpFactor username={user.username} onSet={setCodes} />
      {leave}
    </SessionFrame>
  )
}

function FirstPassword({ username, onChosen }: { username: string; onChosen: () => Promise<void> }) {
  const first = useRef<HTMLInputElement>(null)
  const form = useForm(choosePassword, {
    initial: { new_password: '' },
    unsent: { again: '' },
    check: ({ new_password, again }) => faultsOfNewPassword('new_password', new_password, again),
    onSaved: async ({ message }) => {
      say(message)
      await onChosen()
    },
  })
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  return (
    <FormElement form={form}>
      <Stack gap="md">
        <Text>
          Le lien de l’invitation ne servira plus{'\u202f'}: vous vous connecterez avec ce mot de passe et le
          nom «{'\u00a0'}
          {username}
          {'\u00a0'}».
        </Text>
        {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
        <PasswordOwner username={username} />
        <NewPasswordFields form={form} field="new_password" firstRef={first} />
        <Button type="submit" fullWidth loading={form.isPending}>
          Enregistrer ce mot de passe
        </Button>
      </Stack>
    </FormElement>
  )
}
