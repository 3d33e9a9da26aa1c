import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'

import { changePassword } from '../../contract/session.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { say } from '../ui/messages.ts'
import { faultsOfNewPassword, type NewPasswordFaults, NewPasswordFields } from './new-password.tsx'
import { SessionNote } from './session-note.tsx'

type Faults = NewPasswordFaults & { current?: string }

const empty = { first: '', second: '' }

/** Changes one's own password; the person's sessions elsewhere end. */
export function ChangePasswordForm({ username }: { username: string }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState(empty)
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const currentField = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (faults.current) currentField.current?.focus()
    else if (faults.first) first.current?.focus()
    else if (faults.second) second.current?.focus()
  }, [faults])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    const found: Faults = {
      ...(current ? {} : { current: 'Saisissez votre mot de passe actuel.' }),
      ...faultsOfNewPassword(password),
    }
    setFaults(found)
    setProblem(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const { message } = await call(changePassword, {
        body: { current_password: current, new_password: password.first },
      })
      setCurrent('')
      setPassword(empty)
      say(message)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const at = (path: string) => error.violations.find(({ propertyPath }) => propertyPath === path)?.message
      const [atCurrent, atNew] = [at('current_password'), at('new_password')]
      if (atCurrent || atNew) {
        setFaults({ ...(atCurrent ? { current: atCurrent } : {}), ...(atNew ? { first: atNew } : {}) })
      } else setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem ? <SessionNote tone="bad">{problem}</SessionNote> : null}
        {/* Password managers look here for whose password changes. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          ref={currentField}
          label="Mot de passe actuel"
          name="current-password"
          autoComplete="current-password"
          enterKeyHint="next"
          maxLength={200}
          value={current}
          error={faults.current}
          aria-invalid={faults.current !== undefined}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPasswordFields
          value={password}
          faults={faults}
          onChange={setPassword}
          firstRef={first}
          secondRef={second}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            Changer le mot de passe
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
