import { Anchor, Button, Stack } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'

import { getMe, resetPassword } from '../../contract/session.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { say } from '../ui/messages.ts'
import { faultsOfNewPassword, type NewPasswordFaults, NewPasswordFields } from './new-password.tsx'
import { SessionFrame } from './session-frame.tsx'
import { SessionNote } from './session-note.tsx'
import { currentSession } from './session.ts'

/** Chooses a new password by a mailed link. */
export default function ResetPasswordScreen() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const [password, setPassword] = useState({ first: '', second: '' })
  const [faults, setFaults] = useState<NewPasswordFaults>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isEnded, setEnded] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (faults.first) first.current?.focus()
    else if (faults.second) second.current?.focus()
  }, [faults])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    const found = faultsOfNewPassword(password)
    setFaults(found)
    setProblem(null)
    if (found.first || found.second) return
    setBusy(true)
    try {
      const { message } = await call(resetPassword, { params: { token }, body: { password: password.first } })
      // Every session of the person has ended, the one of this page too if it was theirs: the server says so, and ends it here.
      if (currentSession()) await call(getMe, {}).catch(() => undefined)
      say(message)
      await navigate('/login', { replace: true })
    } catch (error) {
      setBusy(false)
      if (!(error instanceof CallError)) throw error
      if (error.violations.length > 0) setFaults({ first: error.message })
      else setProblem(error.message)
      setEnded(error.reason === 'LINK_ENDED')
    }
  }

  if (isEnded) {
    return (
      <SessionFrame title="Nouveau mot de passe">
        <SessionNote tone="bad">{problem}</SessionNote>
        <Button component={Link} to="/reset/password" fullWidth>
          Demander un nouveau lien
        </Button>
        <Anchor component={Link} to="/login" ta="center" py="xs">
          Revenir à la connexion
        </Anchor>
      </SessionFrame>
    )
  }
  return (
    <SessionFrame title="Nouveau mot de passe">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {problem ? <SessionNote tone="bad">{problem}</SessionNote> : null}
          <NewPasswordFields
            value={password}
            faults={faults}
            onChange={setPassword}
            firstRef={first}
            secondRef={second}
          />
          <Button type="submit" fullWidth loading={isBusy}>
            Enregistrer ce mot de passe
          </Button>
          <Anchor component={Link} to="/login" ta="center" py="xs">
            Revenir à la connexion
          </Anchor>
        </Stack>
      </form>
    </SessionFrame>
  )
}
