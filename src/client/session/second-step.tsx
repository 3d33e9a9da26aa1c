import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

import { signInFailed } from '../../domain/sentences/session.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'
import { SignInError, signInByLink } from './sign-in.ts'

type SecondStepProps = {
  send: (code: string) => Promise<void>
  onSent: () => Promise<void>
  onLeave: () => void
}

const fieldOf = {
  code: {
    label: 'Code de l’application',
    about: 'Saisissez les six chiffres que montre en ce moment l’application de votre téléphone.',
    missing: 'Saisissez le code à six chiffres.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    other: 'Utiliser un code de secours',
  },
  recovery: {
    label: 'Code de secours',
    about: 'Saisissez un des codes que vous avez gardés. Il ne servira plus.',
    missing: 'Saisissez un code de secours.',
    inputMode: 'text',
    autoComplete: 'off',
    other: 'Utiliser l’application',
  },
} as const

/** Asks for the second factor, in the frame where the password was asked. */
export function SecondStep({ send, onSent, onLeave }: SecondStepProps) {
  const [kind, setKind] = useState<keyof typeof fieldOf>('code')
  const input = useRef<HTMLInputElement>(null)
  const { label, about, missing, inputMode, autoComplete, other } = fieldOf[kind]
  const form = useLocalForm({
    about: 'second step',
    initial: { code: '' },
    check: ({ code }) => (code.trim() ? {} : { code: missing }),
    act: ({ code }) => send(code.trim()),
    onDone: onSent,
    wording: (error) => (error instanceof SignInError ? error.message : signInFailed),
  })
  useEffect(() => input.current?.focus({ preventScroll: true }), [kind])
  useEffect(() => {
    if (form.error) input.current?.select()
  }, [form.error])

  return (
    <SessionFrame title="Connexion">
      <FormElement form={form}>
        <Stack gap="md">
          {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
          <Text>{about}</Text>
          <TextInput
            key={kind}
            ref={input}
            name={autoComplete}
            inputMode={inputMode}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={40}
            {...form.secret('code', label)}
          />
          <Button type="submit" fullWidth loading={form.isPending}>
            Se connecter
          </Button>
          <Anchor
            component="button"
            type="button"
            py="xs"
            onClick={() => {
              setKind(kind === 'code' ? 'recovery' : 'code')
              form.restart()
            }}
          >
            {other}
          </Anchor>
          <Anchor component="button" type="button" py="xs" onClick={onLeave}>
            Revenir à la connexion
          </Anchor>
        </Stack>
      </FormElement>
    </SessionFrame>
  )
}

type LinkSignInProps = {
  token: string
  onSignedIn: () => Promise<void>
  /** Null where the person would rather type their password. */
  onLeave: (error: unknown) => void
}

/** Uses the token of `/login?token=…` once and removes it from the address, so from the history. */
export default function LinkSignIn({ token, onSignedIn, onLeave }: LinkSignInProps) {
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  const isSent = useRef(false)
  const [isAsked, setAsked] = useState(false)
  const arrive = useEffectEvent(onSignedIn)
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    void navigate('/login', { replace: true, state })
    signInByLink(token)
      .then(arrive)
      .catch((error: unknown) => {
        if (error instanceof SignInError && error.reason === 'SECOND_FACTOR') setAsked(true)
        else leave(error)
      })
  }, [token, navigate, state])
  return isAsked ? (
    <SecondStep
      send={(code) => signInByLink(token, code)}
      onSent={onSignedIn}
      onLeave={() => onLeave(null)}
    />
  ) : (
    <SessionFrame title="Connexion">
      <ScreenSkeleton />
    </SessionFrame>
  )
}
