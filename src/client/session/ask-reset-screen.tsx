import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { askReset } from '../../contract/passwords.ts'
import { unknownUser } from '../../domain/sentences/session.ts'
import { CallError } from '../api/call-error.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'

export default function AskResetScreen() {
  const [sent, setSent] = useState<AnswerOf<typeof askReset> | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const form = useForm(askReset, {
    initial: { username: '' },
    check: ({ username = '' }) =>
      username.trim() ? {} : { username: 'Saisissez votre nom d’utilisateur ou votre adresse électronique.' },
    wording: sentenceOf,
    onSaved: setSent,
  })
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (form.error) field.current?.select()
  }, [form.error])

  if (sent !== null) {
    return (
      <SessionFrame title="Mot de passe oublié">
        <SessionNote tone={sent.is_mailed ? 'good' : 'warn'}>{sent.message}</SessionNote>
        <Text>
          {sent.is_mailed
            ? 'S’il correspond à un compte, le message arrive dans les minutes qui viennent. Son lien sert une fois, pendant une heure. Rien dans les indésirables non plus\u202f? Demandez à la personne qui gère les comptes.'
            : 'Mais aucun courriel ne part d’ici\u202f: si ce nom est celui d’un compte, son lien est dans un fichier du serveur, pour une heure. Demandez-le à la personne qui tient le serveur, ou un nouveau mot de passe à celle qui gère les comptes.'}
        </Text>
        <Button component={Link} to="/login" fullWidth>
          Revenir à la connexion
        </Button>
      </SessionFrame>
    )
  }
  return (
    <SessionFrame title="Mot de passe oublié">
      <FormElement form={form}>
        <Stack gap="md">
          <Text>
            Un lien pour choisir un nouveau mot de passe vous est écrit, par courriel si cette installation en
            envoie.
          </Text>
          {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
          <TextInput
            ref={field}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="send"
            maxLength={200}
            {...form.text('username', 'Nom d’utilisateur ou adresse électronique')}
          />
          <Button type="submit" fullWidth loading={form.isPending}>
            Recevoir le lien
          </Button>
          <Anchor component={Link} to="/login" ta="center" py="xs">
            Revenir à la connexion
          </Anchor>
        </Stack>
      </FormElement>
    </SessionFrame>
  )
}

/** The specification's message; no network, too many requests and server failures keep their own (decision 0016). */
function sentenceOf(error: unknown): string {
  if (error instanceof CallError && (error.isUnanswered || error.status === 429)) return error.message
  return unknownUser
}
