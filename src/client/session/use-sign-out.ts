import { useCallback } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router-dom'

import { logOut } from '../../contract/session.ts'
import { forgetSession } from '../../offline/session-mirror.ts'
import { clearSnapshot } from '../../offline/snapshot.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { counted } from '../ui/words.ts'
import { countWaiting } from '../waiting/waiting-data.ts'
import { mirrorSettled } from './mirror-session.ts'
import { endSession } from './session.ts'

/** Nobody waits longer for the server to hear of a sign-out. */
const longestGoodbyeMs = 4000

/**
 * Signs out, after saying how many actions wait on this device. They stay, and are sent when the person signs in again; readers and
 * loans known off line leave the device.
 */
export function useSignOut(): () => Promise<void> {
  const confirm = useConfirm()
  const navigate = useNavigate()
  return useCallback(async () => {
    const waiting = await countWaiting().catch(() => 0)
    if (waiting > 0 && !(await confirm(questionAbout(waiting)))) return
    // The token is read now; the answer may come after the session has ended here, or not at all.
    const goodbye = call(logOut, { signal: AbortSignal.timeout(longestGoodbyeMs) })
    await Promise.allSettled([goodbye, forgetDevice()])
    // At once, so that the guard of the screens has already sent to /login with the address left behind: it is not for the next person.
    flushSync(endSession)
    queryClient.clear()
    await navigate('/login', { replace: true })
  }, [confirm, navigate])
}

/** The snapshot and the token leave the device's store; the outbox is not touched. */
async function forgetDevice(): Promise<void> {
  await mirrorSettled()
  await forgetSession()
  await clearSnapshot()
}

const questionAbout = (waiting: number) => ({
  title: 'Se déconnecter ?',
  message: `${counted(waiting, 'action attend', 'actions attendent')} sur cet appareil. ${
    waiting > 1 ? 'Elles y sont gardées et partiront' : 'Elle y est gardée et partira'
  } à la prochaine connexion.`,
  confirmLabel: 'Se déconnecter',
})
