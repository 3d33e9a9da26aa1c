import { openSeal } from '../../contract/sessions.ts'
import type { Right } from '../../domain/rights.ts'
import { clearSnapshot } from '../../offline/clear-snapshot.ts'
import { hasSeal, rememberSeal } from '../../offline/seal.ts'
import { forgetSession, refusedToken, rememberSession } from '../../offline/session-mirror.ts'
import { watchSessionRefused } from '../../offline/session-news.ts'
import { call } from './call.ts'
import { currentConnection, watchConnection } from './connection.ts'
import { queryClient } from './query-client.ts'
import { currentSession, endSession, type Session, watchSession } from './session.ts'

type Mirrored = Parameters<typeof rememberSession>[0]

/** What the service worker needs to send the outbox; null until the person, the environment and the site are known. */
function mirroredFrom(session: Session | null): Mirrored | null {
  if (!session?.user || !session.site || session.environment_id === null) return null
  const { token, environment_id, user, site } = session
  return { token, environment_id, user_id: user.id, username: user.username, site: site.id }
}

let written: string | null = null
let writing: Promise<void> = Promise.resolve()

/** One after the other, or a slow write would bring back a session that has ended. Without a store there is no outbox either. */
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
    // The next person sees nothing of this one's.
    queryClient.clear()
    if (written !== 'null') write(forgetMirrored)
    written = 'null'
  } else if (mirrored && text !== written) {
    written = text
    write(() => rememberSession(mirrored))
    write(obtainSeal)
  }
}

/** A key that was not given is asked for again, for as long as the session lasts. */
const againMs = 15_000
let again: ReturnType<typeof setTimeout> | undefined

/** Longest wait for the key: without it what is done now is confirmed later. */
const longestMs = 5000

/**
 * Asks for the key of this session where the device has none: right after sign-in, where its store was emptied, or once the network is
 * back.
 */
async function obtainSeal(): Promise<void> {
  const mirrored = mirroredFrom(currentSession())
  if (!mirrored || !mayAct() || currentConnection() === 'offline' || (await hasSeal(mirrored.token))) return
  await call(openSeal, { signal: AbortSignal.timeout(longestMs) }).then(
    (seal) => rememberSeal(seal, mirrored),
    () => {
      clearTimeout(again)
      again = setTimeout(() => write(obtainSeal), againMs)
    },
  )
}

/** Whoever can leave nothing in the outbox needs no key. */
const mayAct = (): boolean =>
  ['LOANING_ADD', 'LOANING_RETURN', 'QUEUE_ADOPT'].some((right) =>
    currentSession()?.user?.rights.includes(right as Right),
  )
/** What the device knows of readers and loans, and the files it was offered, go with the session; the outbox is not touched. */
async function forgetMirrored(): Promise<void> {
  await forgetSession()
  await clearSnapshot()
}

/** The server refused this page's token to whoever sent it: another page, or the worker while no page was open. */
async function leaveIfRefused(): Promise<void> {
  const refused = await refusedToken().catch(() => null)
  if (refused !== null && refused === currentSession()?.token) endSession()
}

/**
 * Keeps the copy of the session in the device's store in step with the page's, and clears what was fetched when it ends (sign-out
 * here or in another tab, or a 401). The outbox is not touched. To be called once, at start; returns how to stop.
 */
export function mirrorSession(): () => void {
  follow()
  const stopFollowing = watchSession(follow)
  const stopHearing = watchSessionRefused(() => void leaveIfRefused())
  const stopConnection = watchConnection(() => write(obtainSeal))
  void leaveIfRefused()
  return () => {
    stopFollowing()
    stopHearing()
    stopConnection()
  }
}

/** Answers when the copy is in step. */
export const mirrorSettled = (): Promise<void> => writing
