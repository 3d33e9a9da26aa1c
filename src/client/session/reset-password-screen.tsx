import { Anchor, Button, Stack } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'

import { resetPassword } from '../../contract/passwords.ts'
import { getMe } from '../../contract/session.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { say } from '../page/messages.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { faultsOfNewPassword, NewPasswordFields } from './new-password.tsx'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'
import { currentSession } from '../api/session.ts'

export default function ResetPasswordScreen() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const first = useRef<HTMLInputElement>(null)
  const form = useForm(resetPassword, {
    initial: { password: '' },
    unsent: { again: '' },
    params: { token },
    check: ({ password, again }) => faultsOfNewPassword('password', password, again),
    onSaved: async ({ message }) => {
      // All the person's sessions have ended, and this call ends this page's if it was theirs.
      if (currentSession()) await call(getMe, {}).catch(() => undefined)
      say(message)
      await navigate('/login', { replace: true })
    },
  })
  useEffect(() => first.current?.focus({ preventScroll: true }), [])

  if (form.error instanceof CallError && form.error.reason === 'LINK_ENDED') {
    return (
      <SessionFrame title="Nouveau mot de passe">
        <SessionNote tone="bad">{form.problem}</SessionNote>
        <Button component={Link} to="/reset/password" fullWidth>
          Demander un nouveau lien
        </Button>
        <Anchor component={Link} to="/login" ta="center" py="xs">
          Revenir à la connexion
        </Anchor>
      </SessionFrame>
    )
  }
  return (
    <SessionFrame title="Nouveau mot de passe">
      <FormElement form={form}>
        <Stack gap="md">
          {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
          <NewPasswordFields form={form} field="password" firstRef={first} />
          <Button type="submit" fullWidth loading={form.isPending}>
            Enregistrer ce mot de passe
          </Button>
          <Anchor component={Link} to="/login" ta="center" py="xs">
            Revenir à la connexion
          </Anchor>
        </Stack>
      </FormElement>
    </SessionFrame>
  )
}
