import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useLayoutEffect, useState } from 'react'

import { accountName } from '../../domain/person-names.ts'
import { mostTries, triesLeft } from '../../offline/lock-code.ts'
import { SessionFrame } from '../session/session-frame.tsx'
import { useSession } from '../api/session.ts'
import { nameAway } from '../page/page-away.ts'
import { counted } from '../ui/words.ts'
import { CodeEntry } from './code-entry.tsx'
import { LeaveButtons } from './leave-buttons.tsx'
import { unlock } from './lock-state.ts'
import { PasswordEntry } from './password-entry.tsx'
import { useLockPerson } from './use-lock-person.ts'
import { useScansUnderLock } from './use-scans-under-lock.ts'
import { Said, useSaid } from './said.tsx'

type Way = 'looking' | 'code' | 'password'

const scanSentence = (isKept: boolean) =>
  `Écran verrouillé\u202f: ${isKept ? 'code gardé, à reprendre ensuite' : 'code lu, ignoré'}.`
const spentSentence = `Code erroné ${mostTries} fois\u202f: saisissez votre mot de passe.`
const wrongSentence = (left: number) => `Code erroné. Il reste ${counted(left, 'essai', 'essais')}.`

export default function LockScreen() {
  const session = useSession()
  const person = useLockPerson()
  const [way, setWay] = useState<Way>('looking')
  const [hasTries, setHasTries] = useState(false)
  const { said, say } = useSaid()
  const take = (other: Way) => {
    setWay(other)
    say('')
  }
  useLayoutEffect(() => nameAway('Écran verrouillé · Comptoir'), [])

  useEffect(() => {
    if (!person) return
    triesLeft(person).then(
      (left) => {
        // Whoever chooses a code now could be anybody, so without one only the password unlocks.
        setWay(left === null || left === 0 ? 'password' : 'code')
        setHasTries(left !== null && left > 0)
        if (left === 0) say(spentSentence)
      },
      () => setWay('password'),
    )
  }, [person, say])
  useScansUnderLock((isKept) => say(scanSentence(isKept)))

  const { user } = session ?? {}
  const name = user ? accountName(user) : ''
  return (
    <SessionFrame title="Écran verrouillé">
      <Text>Session de {name}. Tout est gardé comme vous l’avez laissé.</Text>
      <Said said={said} />
      {way === 'code' && person ? (
        <CodeEntry
          person={person}
          onRight={unlock}
          onWrong={(left) => {
            setHasTries(left > 0)
            if (left === 0) setWay('password')
            say(left === 0 ? spentSentence : wrongSentence(left))
          }}
          onSay={say}
        />
      ) : null}
      {way === 'password' ? (
        <PasswordEntry person={person} username={user?.username ?? ''} onRight={unlock} />
      ) : null}
      <Stack gap="xs" align="center">
        {way === 'code' ? <OtherWay word="Utiliser le mot de passe" onTake={() => take('password')} /> : null}
        {way === 'password' && hasTries ? (
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
