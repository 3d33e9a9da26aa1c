import { Stack, Text } from '@mantine/core'
import { useLayoutEffect } from 'react'

import { SessionFrame } from '../session/session-frame.tsx'
import { nameAway } from '../page/page-away.ts'
import { counted } from '../ui/words.ts'
import { ChooseCodeForm } from './choose-code-form.tsx'
import { LeaveButtons } from './leave-buttons.tsx'
import { unlock, useIdleMinutes } from './lock-state.ts'
import { Said, useSaid } from './said.tsx'
import { useScansUnderLock } from './use-scans-under-lock.ts'
import { useLockPerson } from './use-lock-person.ts'

/** A code must be chosen first on a device whose library locks its screens. */
export default function AskCodeScreen() {
  const person = useLockPerson()
  const minutes = useIdleMinutes()
  const { said, say } = useSaid()
  useScansUnderLock((isKept) => say(isKept ? 'Code gardé, à reprendre ensuite' : 'Code lu, ignoré'))
  useLayoutEffect(() => nameAway('Code de verrouillage · Comptoir'), [])
  if (!person) return null
  return (
    <SessionFrame title="Code de verrouillage">
      <Text>
        Votre bibliothèque verrouille l’écran après {counted(minutes, 'minute', 'minutes')} sans geste.
        Choisissez quatre chiffres pour le déverrouiller sur cet appareil, même sans réseau. Ce code est
        oublié quand vous vous déconnectez.
      </Text>
      <Said said={said} />
      <ChooseCodeForm person={person} onChosen={unlock} isAlone />
      <Stack gap="xs">
        <LeaveButtons />
      </Stack>
    </SessionFrame>
  )
}
