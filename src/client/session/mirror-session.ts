import { forgetSession, rememberSession } from '../../offline/session-mirror.ts'
import { queryClient } from '../api/query-client.ts'
import { currentSession, type Session, watchSession } from './session.ts'

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
    if (written !== 'null') write(forgetSession)
    written = 'null'
  } else if (mirrored && text !== written) {
    written = text
    write(() => rememberSession(mirrored))
  }
}

/**
 * Keeps the copy of the session in the device's store in step with the page's, and clears what was fetched when it ends (sign-out
 * here or in another tab, or a 401). The outbox is not touched. To be called once, at start; returns how to stop.
 */
export function mirrorSession(): () => void {
  follow()
  return watchSession(follow)
}

/** Answers when the copy is in step. */
export const mirrorSettled = (): Promise<void> => writing
