import { Button, Stack, TextInput } from '@mantine/core'
import { IconArrowRight, IconBackspace } from '@tabler/icons-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'

import { isLockCode, tryLockCode } from '../../offline/lock-code.ts'
import styles from './lock.module.css'
import type { LockPerson } from './use-lock-person.ts'
import { watchScansUnderLock } from './watch-idle.ts'

type CodeEntryProps = {
  person: LockPerson
  onRight: () => void
  /** `left`: how many tries remain. */
  onWrong: (left: number) => void
  onSay: (sentence: string) => void
}

const figures = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Only submitting tries the code, because a scanner also types figures. */
export function CodeEntry({ person, onRight, onWrong, onSay }: CodeEntryProps) {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => watchScansUnderLock(() => setCode('')), [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    field.current?.focus()
    if (!isLockCode(code)) {
      onSay('Le code compte quatre chiffres.')
      return
    }
    setBusy(true)
    try {
      const { isRight, left } = await tryLockCode(person, code)
      if (isRight) return onRight()
      setCode('')
      onWrong(left)
    } catch {
      onSay('Le code n’a pas pu être vérifié sur cet appareil. Réessayez.')
    } finally {
      setBusy(false)
    }
  }
  const add = (figure: string) => setCode((before) => (before.length < 4 ? before + figure : before))

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md" align="center">
        <TextInput
          ref={field}
          label="Code de verrouillage"
          classNames={{ root: styles['code'] ?? '', input: `${styles['hidden']} ${styles['figures']}` }}
          // A phone uses the keys below instead of its keyboard.
          inputMode="none"
          autoComplete="off"
          maxLength={40}
          value={code}
          readOnly={isBusy}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <div
          className={styles['pad']}
          role="group"
          aria-label="Pavé de chiffres"
          // The field keeps the focus for whoever goes on by keyboard.
          onPointerDown={(event) => event.preventDefault()}
        >
          {figures.map((figure) => (
            <PadKey key={figure} figure={figure} onPress={add} />
          ))}
          <Button
            variant="subtle"
            color="gray"
            c="inherit"
            aria-label="Effacer"
            onClick={() => setCode((before) => before.slice(0, -1))}
          >
            <IconBackspace size="1.75rem" aria-hidden />
          </Button>
          <PadKey figure="0" onPress={add} />
          <Button type="submit" aria-label="Déverrouiller" loading={isBusy}>
            <IconArrowRight size="1.75rem" aria-hidden />
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function PadKey({ figure, onPress }: { figure: string; onPress: (figure: string) => void }) {
  return (
    <Button variant="default" onClick={() => onPress(figure)}>
      {figure}
    </Button>
  )
}
