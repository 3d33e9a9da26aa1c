import { Button, Group, PasswordInput, Stack } from '@mantine/core'

import { changePassword } from '../../contract/passwords.ts'
import { FormElement } from '../ui/form-element.tsx'
import { say } from '../page/messages.ts'
import { useForm } from '../ui/use-form.ts'
import { faultsOfNewPassword, NewPasswordFields } from '../session/new-password.tsx'
import { SessionNote } from '../session/session-note.tsx'

/** The person's sessions elsewhere end. */
export function ChangePasswordForm({ username }: { username: string }) {
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
        {/* Tells password managers whose password changes. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          name="current-password"
          autoComplete="current-password"
          enterKeyHint="next"
          maxLength={200}
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
