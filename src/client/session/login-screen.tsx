import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { hostUnknown } from '../../domain/host-unknown.ts'
import { signInFailed, signedIn } from '../../domain/sentences/session.ts'
import { useConnection, useHostUnknown } from '../api/connection.ts'
import { queryClient } from '../api/query-client.ts'
import { say } from '../page/messages.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { counted } from '../ui/words.ts'
import { useWaitingCount } from '../outbox/waiting-data.ts'
import { destinationOf } from './destination.ts'
import { takeEarlySignIn } from './early-sign-in.ts'
import { useEnvironment } from './environment-data.ts'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'
import { currentSession, rememberUser, useSession } from '../api/session.ts'
import { signIn, SignInError } from './sign-in.ts'
import { meQuery } from './user-data.ts'

// Most people come with a password alone.
const loadSteps = () => import('./second-step.tsx')
type SecondStep = Awaited<ReturnType<typeof loadSteps>>['SecondStep']
const LinkSignIn = lazy(loadSteps)
const DemonstrationAccounts = lazy(() => import('./demonstration-accounts.tsx'))

export default function LoginScreen() {
  const session = useSession()
  const { data: environment } = useEnvironment()
  const destination = destinationOf(useLocation().state)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const arrive = async () => {
    say(signedIn)
    const me = await queryClient.fetchQuery(meQuery(currentSession()?.token ?? '')).catch(() => null)
    if (me) rememberUser(me)
    await navigate(destination, { replace: true })
  }
  const [search] = useSearchParams()
  const [link, setLink] = useState(() => search.get('token'))
  // Known once it is asked for, so that the form stays until it can take its place.
  const [Asked, setAsked] = useState<SecondStep | null>(null)

  const send = async (name: string, secret: string) => {
    if (isBusy) return
    if (!name || !secret) {
      setFault('Saisissez votre nom d’utilisateur et votre mot de passe.')
      ;(name ? passwordField : nameField).current?.focus()
      return
    }
    setBusy(true)
    setFault(null)
    try {
      await signIn(name, secret)
      await arrive()
    } catch (error) {
      const isAsked = error instanceof SignInError && error.reason === 'SECOND_FACTOR'
      const step = isAsked ? await loadSteps().catch(() => null) : null
      setBusy(false)
      if (step) {
        setAsked(() => step.SecondStep)
        return
      }
      setFault(isAsked ? signInFailed : sentenceOf(error))
      passwordField.current?.select()
    }
  }

  const takeOver = useRef(() => {
    const early = takeEarlySignIn()
    const place = early?.isAtPassword ? passwordField : nameField
    place.current?.focus({ preventScroll: true })
    if (!early) return
    setUsername(early.username)
    setPassword(early.password)
    if (early.isSent) void send(early.username.trim(), early.password)
  })
  // Runs before the next picture, so that no key falls between the fields of the page and those of this screen.
  useLayoutEffect(() => {
    if (link === null && !Asked) takeOver.current()
  }, [link, Asked])

  useEffect(() => {
    const sweep = async () => (await import('../ui/forms/drafts.ts')).sweepDrafts()
    void sweep().catch(() => undefined)
  }, [])

  if (link !== null) {
    return (
      <Suspense
        fallback={
          <SessionFrame title="Connexion">
            <ScreenSkeleton />
          </SessionFrame>
        }
      >
        <LinkSignIn
          token={link}
          onSignedIn={arrive}
          onLeave={(error) => {
            if (error !== null) setFault(sentenceOf(error))
            setLink(null)
          }}
        />
      </Suspense>
    )
  }
  if (Asked) {
    return (
      <Asked
        send={(code) => signIn(username.trim(), password, code)}
        onSent={arrive}
        onLeave={() => setAsked(null)}
      />
    )
  }
  if (session && !isBusy) return <Navigate to={destination} replace />

  return (
    <SessionFrame title="Connexion">
      <NoNetworkNote />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(username.trim(), password)
        }}
        noValidate
      >
        <Stack gap="md">
          {fault ? <SessionNote tone="bad">{fault}</SessionNote> : null}
          <TextInput
            ref={nameField}
            label="Nom d’utilisateur"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="next"
            maxLength={100}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            ref={passwordField}
            label="Mot de passe"
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button ref={submitButton} type="submit" fullWidth loading={isBusy}>
            Se connecter
          </Button>
          <Anchor component={Link} to="/reset/password" ta="center" py="xs">
            Mot de passe oublié ?
          </Anchor>
        </Stack>
      </form>
      <Anchor component={Link} to="/accessibility" size="sm" ta="center" py="xs">
        Accessibilité
      </Anchor>
      {environment?.demonstration ? (
        <Suspense fallback={null}>
          <DemonstrationAccounts
            {...environment.demonstration}
            onPick={(name, itsPassword) => {
              setUsername(name)
              setPassword(itsPassword)
              setFault(null)
              submitButton.current?.focus()
            }}
          />
        </Suspense>
      ) : null}
    </SessionFrame>
  )
}

function NoNetworkNote() {
  const connection = useConnection()
  const isHostUnknown = useHostUnknown()
  const waiting = useWaitingCount()
  if (connection === 'online') return null
  const kept =
    waiting === 0
      ? ''
      : ` ${counted(waiting, 'action en attente est gardée', 'actions en attente sont gardées')} sur cet appareil.`
  return (
    <SessionNote tone="warn">
      <strong>{isHostUnknown ? 'Adresse inconnue' : 'Pas de réseau'}</strong>
      <br />
      {isHostUnknown
        ? hostUnknown
        : 'La connexion demande le réseau\u202f: elle sera possible dès son retour.'}
      {kept}
    </SessionNote>
  )
}

const sentenceOf = (error: unknown): string => (error instanceof SignInError ? error.message : signInFailed)
