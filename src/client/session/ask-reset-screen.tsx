import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'

import { askReset } from '../../contract/session.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'

/** Asks for the mail by which a forgotten password is changed. */
export default function AskResetScreen() {
  const [username, setUsername] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (!username.trim()) {
      setFault('Saisissez votre nom d’utilisateur ou votre adresse électronique.')
      field.current?.focus()
      return
    }
    setBusy(true)
    setFault(null)
    try {
      setSent((await call(askReset, { body: { username: username.trim() } })).message)
    } catch (error) {
      setFault(sentenceOf(error))
      field.current?.select()
    } finally {
      setBusy(false)
    }
  }

  if (sent !== null) {
    return (
      <SessionFrame title="Mot de passe oublié">
        <SessionNote tone="good">{sent}</SessionNote>
        <Text>
          S’il correspond à un compte, le message arrive dans les minutes qui viennent. Son lien sert une
          fois, pendant une heure. Rien dans les indésirables non plus ? Demandez à la personne qui gère les
          comptes.
        </Text>
        <Button component={Link} to="/login" fullWidth>
          Revenir à la connexion
        </Button>
      </SessionFrame>
    )
  }
  return (
    <SessionFrame title="Mot de passe oublié">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text>Vous recevrez par courriel un lien pour choisir un nouveau mot de passe.</Text>
          {fault ? <SessionNote tone="bad">{fault}</SessionNote> : null}
          <TextInput
            ref={field}
            label="Nom d’utilisateur ou adresse électronique"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="send"
            maxLength={200}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={isBusy}>
            Recevoir le lien
          </Button>
          <Anchor component={Link} to="/login" ta="center" py="xs">
            Revenir à la connexion
          </Anchor>
        </Stack>
      </form>
    </SessionFrame>
  )
}

/** Message of file 2, section 8; no network, too many requests and a failing server are said as they are (0003). */
function sentenceOf(error: unknown): string {
  if (error instanceof CallError && (error.isNoNetwork || error.status === 429 || error.status >= 500))
    return error.message
  return 'Utilisateur inconnu. Merci de vérifier votre adresse électronique'
}
