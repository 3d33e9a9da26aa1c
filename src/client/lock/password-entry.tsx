import { Button, PasswordInput, Stack } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'

import { hostUnknown } from '../../domain/host-unknown.ts'
import { signInFailed } from '../../domain/sentences/session.ts'
import { forgiveTries } from '../../offline/lock-code.ts'
import { useConnection, useHostUnknown } from '../api/connection.ts'
import { SessionNote } from '../session/session-note.tsx'
import { confirmPassword, SignInError } from '../session/sign-in.ts'
import { FormElement } from '../ui/form-element.tsx'
import { useLocalForm } from '../ui/use-local-form.ts'
import type { LockPerson } from './use-lock-person.ts'
import { watchScansUnderLock } from './watch-idle.ts'
import { inWords } from '../page/house-words.ts'

type PasswordEntryProps = { person: LockPerson | null; username: string; onRight: () => void }

/** Only the server can check the password. */
export function PasswordEntry({ person, username, onRight }: PasswordEntryProps) {
  const isOffline = useConnection() === 'offline'
  const isHostUnknown = useHostUnknown()
  const field = useRef<HTMLInputElement>(null)
  const form = useLocalForm({
    about: 'unlocking',
    initial: { password: '' },
    check: ({ password }) => (password === '' ? { password: 'Saisissez votre mot de passe.' } : {}),
    act: async ({ password }) => {
      await confirmPassword(username, password)
      // The right password unlocks even if the device cannot write.
      if (person) await forgiveTries(person).catch(() => undefined)
    },
    wording: (error) => (error instanceof SignInError ? error.message : signInFailed),
    onDone: onRight,
  })
  const forget = useEffectEvent(form.restart)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => watchScansUnderLock(() => forget()), [])
  useEffect(() => {
    if (form.error) field.current?.select()
  }, [form.error])

  return (
    <FormElement form={form}>
      <Stack gap="md">
        {isOffline ? (
          <SessionNote tone="warn">
            <strong>{isHostUnknown ? 'Adresse inconnue' : 'Pas de réseau'}</strong>
            <br />
            {inWords(
              isHostUnknown
                ? hostUnknown
                : 'Le mot de passe se vérifie en ligne\u202f: il le sera dès le retour du réseau. Ce qui attend sur cet appareil y est gardé.',
            )}
          </SessionNote>
        ) : null}
        {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          ref={field}
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
          maxLength={200}
          {...form.secret('password', 'Mot de passe')}
        />
        <Button type="submit" fullWidth loading={form.isPending}>
          Déverrouiller
        </Button>
      </Stack>
    </FormElement>
  )
}
