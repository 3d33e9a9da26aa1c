import { useCallback } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router-dom'

import { logOut } from '../../contract/session.ts'
import { forgetLockCode } from '../../offline/device-meta.ts'
import { forgetSession } from '../../offline/session-mirror.ts'
import { clearSnapshot } from '../../offline/clear-snapshot.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { mirrorSettled } from '../api/mirror-session.ts'
import { leaveSession } from '../api/session.ts'
import type { SignOutQuestion } from './sign-out-question.ts'

/** Nobody waits longer for the server to hear of a sign-out. */
const longestGoodbyeMs = 4000

/** `asksAlways` where a slip would sign out; what waits on the device stays for the next sign-in. */
export function useSignOut({ asksAlways = false } = {}): () => Promise<void> {
  const confirm = useConfirm()
  const signOut = useSignOutAtOnce()
  return useCallback(async () => {
    const question = await readSignOutQuestion()
    if (question && (question.isNeeded || asksAlways) && !(await confirm(question))) return
    await signOut()
  }, [asksAlways, confirm, signOut])
}

/** Null where it cannot be read: nobody is held back for that. */
export const readSignOutQuestion = (): Promise<SignOutQuestion | null> =>
  import('./sign-out-question.ts').then(({ signOutQuestion }) => signOutQuestion()).catch(() => null)

export function useSignOutAtOnce(): () => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async () => {
    // The token is read now; the answer may come after the session has ended, or never.
    const goodbye = call(logOut, { signal: AbortSignal.timeout(longestGoodbyeMs) })
    await Promise.allSettled([goodbye, leaveDevice()])
    // Flushed, so that the guard has gone to /login before: the address left is not for the next person.
    flushSync(leaveSession)
    queryClient.clear()
    await navigate('/login', { replace: true })
  }, [navigate])
}

/** The outbox stays. */
async function leaveDevice(): Promise<void> {
  // Before what may fail.
  ;(await import('../ui/forms/drafts.ts')).leaveNoDraft()
  await mirrorSettled()
  await forgetSession({ isEnding: true })
  await forgetLockCode()
  await clearSnapshot()
}
