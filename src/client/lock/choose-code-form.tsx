import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'

import { chooseLockCode, isLockCode } from '../../offline/lock-code.ts'
import { SessionNote } from '../session/session-note.tsx'
import { FormElement } from '../ui/forms/form-element.tsx'
import { say } from '../page/messages.ts'
import type { Faults } from '../ui/forms/use-fields.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import styles from './lock.module.css'
import type { LockPerson } from './use-lock-person.ts'
import { watchScansUnderLock } from './watch-idle.ts'

const nothing = { first: '', second: '' }

type ChooseCodeFormProps = { person: LockPerson; onChosen?: () => void; isAlone?: boolean }

/** `onChosen` is called once the code is on the device; `isAlone` takes the focus. */
export function ChooseCodeForm({ person, onChosen, isAlone = false }: ChooseCodeFormProps) {
  const first = useRef<HTMLInputElement>(null)
  const form = useLocalForm({
    about: 'lock code',
    initial: nothing,
    check: faultsOf,
    act: (code) => chooseLockCode(person, code.first),
    wording: () => 'Le code n’a pas pu être gardé sur cet appareil. Réessayez.',
    onDone: () => {
      form.restart()
      onChosen?.()
      say('Le code de verrouillage est enregistré sur cet appareil.')
    },
  })
  const forget = useEffectEvent(form.restart)
  useEffect(() => {
    if (isAlone) first.current?.focus()
  }, [isAlone])
  useEffect(() => watchScansUnderLock(() => forget()), [])

  const field = {
    classNames: { input: styles['hidden'] ?? '' },
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: 4,
  } as const
  return (
    <FormElement form={form}>
      <Stack gap="md">
        {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
        <TextInput
          {...field}
          ref={first}
          description="Quatre chiffres."
          {...form.secret('first', 'Nouveau code')}
        />
        <TextInput {...field} {...form.secret('second', 'Le même code, une seconde fois')} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isPending}>
            Enregistrer le code
          </Button>
        </Group>
      </Stack>
    </FormElement>
  )
}

function faultsOf({ first, second }: typeof nothing): Faults {
  if (!isLockCode(first)) return { first: 'Le code compte quatre chiffres.' }
  return first === second ? {} : { second: 'Les deux saisies sont différentes.' }
}
