import { openSeal } from '../../contract/seal.ts'
import type { Right } from '../../domain/rights.ts'
import { clearSnapshot } from '../../offline/clear-snapshot.ts'
import { forgetSession, refusedToken, rememberSession } from '../../offline/session-mirror.ts'
import { watchSessionRefused } from '../../offline/session-news.ts'
import { call } from './call.ts'
import { currentConnection, watchConnection } from './connection.ts'
import { queryClient } from './query-client.ts'
import { currentSession, leaveSession, type Session, watchLeaving, watchSession } from './session.ts'

type Mirrored = Parameters<typeof rememberSession>[0]

function mirroredFrom(session: Session | null): Mirrored | null {
  if (!session?.user || !session.site || session.environment_id === null) return null
  const { token, environment_id, user, site } = session
  return { token, environment_id, user_id: user.id, username: user.username, site: site.id }
}

let written: string | null = null
let writing: Promise<void> = Promise.resolve()

/** In turn, or a slow write would bring back a session that has ended. */
function write(change: () => Promise<void>) {
  writing = writing.then(change).catch(() => {
    written = null
  })
}

function follow() {
  const session = currentSession()
  const mirrored = mirroredFrom(session)
  const text = JSON.stringify(mirrored)
  if (session === null) {
    if (written !== 'null') write(forgetMirrored)
    written = 'null'
  } else if (mirrored && text !== written) {
    written = text
    write(() => rememberSession(mirrored))
    write(obtainSeal)
  }
}

const againMs = 15_000
let again: ReturnType<typeof setTimeout> | undefined

/** Longest wait for the key: what is done without it is confirmed later. */
const longestMs = 5000

/** After sign-in, after the store was emptied, or when the network is back. */
async function obtainSeal(): Promise<void> {
  const mirrored = mirroredFrom(currentSession())
  if (!mirrored || !mayAct() || currentConnection() === 'offline') return
  try {
    // With it come the calls that may wait, which the sign-in page does without.
    const { hasSeal, rememberSeal } = await import('../../offline/seal.ts')
    if (await hasSeal(mirrored.token)) return
    await rememberSeal(await call(openSeal, { signal: AbortSignal.timeout(longestMs) }), mirrored)
  } catch {
    clearTimeout(again)
    again = setTimeout(() => write(obtainSeal), againMs)
  }
}

const mayAct = (): boolean =>
  ['LOANING_ADD', 'LOANING_RETURN', 'QUEUE_ADOPT'].some((right) =>
    currentSession()?.user?.rights.includes(right as Right),
  )
/** The outbox stays. */
async function forgetMirrored(): Promise<void> {
  await forgetSession()
  await clearSnapshot()
}

/** Another page, or the worker, may have been refused this page's token. */
async function leaveIfRefused(): Promise<void> {
  const refused = await refusedToken().catch(() => null)
  if (refused !== null && refused === currentSession()?.token) leaveSession()
}

/** To be called once, at start; the outbox stays when the session ends. */
export function mirrorSession(): () => void {
  follow()
  const stopFollowing = watchSession(follow)
  // The next person must see nothing of this one's.
  const stopForgetting = watchLeaving(() => queryClient.clear())
  const stopHearing = watchSessionRefused(() => void leaveIfRefused())
  const stopConnection = watchConnection(() => write(obtainSeal))
  void leaveIfRefused()
  return () => {
    stopFollowing()
    stopForgetting()
    stopHearing()
    stopConnection()
  }
}

/** Resolves when the mirror is written. */
export const mirrorSettled = (): Promise<void> => writing
