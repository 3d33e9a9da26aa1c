import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

import { hostUnknown } from '../../domain/host-unknown.ts'
import { accountName } from '../../domain/person-names.ts'
import { signInFailed } from '../../domain/sentences/session.ts'
import { forgiveTries, mostTries, triesLeft } from '../../offline/lock-code.ts'
import { useConnection, useHostUnknown } from '../api/connection.ts'
import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { nameAway } from '../page/page-away.ts'
import { OwnPassword } from '../session/own-password.tsx'
import { SessionFrame } from '../session/session-frame.tsx'
import { SessionNote } from '../session/session-note.tsx'
import { confirmPassword, SignInError } from '../session/sign-in.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { CodeEntry } from './code-entry.tsx'
import { LeaveButtons } from './leave-buttons.tsx'
import { unlock } from './lock-state.ts'
import { Said, useSaid } from './said.tsx'
import { type LockPerson, useLockPerson } from './use-lock-person.ts'
import { useScansUnderLock } from './use-scans-under-lock.ts'
import { watchScansUnderLock } from './watch-idle.ts'

type PasswordEntryProps = { person: LockPerson | null; username: string; onRight: () => void }

/** Only the server can check the password. */
function PasswordEntry({ person, username, onRight }: PasswordEntryProps) {
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
        <OwnPassword
          ref={field}
          username={username}
          name="password"
          enterKeyHint="go"
          {...form.secret('password', 'Mot de passe')}
        />
        <Button type="submit" fullWidth loading={form.isPending}>
          Déverrouiller
        </Button>
      </Stack>
    </FormElement>
  )
}

type Unlocking = 'looking' | 'code' | 'password'

const scanSentence = (isKept: boolean) =>
  `Écran verrouillé\u202f: ${isKept ? 'code gardé, à reprendre ensuite' : 'code lu, ignoré'}.`
const spentSentence = `Code erroné ${mostTries} fois\u202f: saisissez votre mot de passe.`
const wrongSentence = (left: number) => `Code erroné. Il reste ${counted(left, 'essai', 'essais')}.`

export default function LockScreen() {
  const session = useSession()
  const person = useLockPerson()
  const [by, setBy] = useState<Unlocking>('looking')
  const [hasTries, setHasTries] = useState(false)
  const { said, say } = useSaid()
  const take = (other: Unlocking) => {
    setBy(other)
    say('')
  }
  useLayoutEffect(() => nameAway('Écran verrouillé · Comptoir'), [])

  useEffect(() => {
    if (!person) return
    triesLeft(person).then(
      (left) => {
        // Whoever chooses a code now could be anybody, so without one only the password unlocks.
        setBy(left === null || left === 0 ? 'password' : 'code')
        setHasTries(left !== null && left > 0)
        if (left === 0) say(spentSentence)
      },
      () => setBy('password'),
    )
  }, [person, say])
  useScansUnderLock((isKept) => say(scanSentence(isKept)))

  const { user } = session ?? {}
  const name = user ? accountName(user) : ''
  return (
    <SessionFrame title="Écran verrouillé">
      <Text>Session de {name}. Tout est gardé comme vous l’avez laissé.</Text>
      <Said said={said} />
      {by === 'code' && person ? (
        <CodeEntry
          person={person}
          onRight={unlock}
          onWrong={(left) => {
            setHasTries(left > 0)
            if (left === 0) setBy('password')
            say(left === 0 ? spentSentence : wrongSentence(left))
          }}
          onSay={say}
        />
      ) : null}
      {by === 'password' ? (
        <PasswordEntry person={person} username={user?.username ?? ''} onRight={unlock} />
      ) : null}
      <Stack gap="xs" align="center">
        {by === 'code' ? <OtherWay word="Utiliser le mot de passe" onTake={() => take('password')} /> : null}
        {by === 'password' && hasTries ? (
          <OtherWay word="Utiliser le code" onTake={() => take('code')} />
        ) : null}
        <LeaveButtons forAnother />
      </Stack>
    </SessionFrame>
  )
}

function OtherWay({ word, onTake }: { word: string; onTake: () => void }) {
  return (
    <Button variant="subtle" color="gray" c="inherit" onClick={onTake}>
      {word}
    </Button>
  )
}
