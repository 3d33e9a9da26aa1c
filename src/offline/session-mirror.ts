import { type DeviceSession, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { tellOutbox } from './outbox-news.ts'

export async function rememberSession(session: Omit<DeviceSession, 'ended'>): Promise<void> {
  await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    if ((await readMeta(meta, 'seal'))?.token !== session.token) await meta.delete('seal')
    // A token that the server refused stays refused, whichever page still holds it.
    const ended =
      (await readMeta(meta, 'session'))?.token === session.token && (await liveSession(meta)) === null
    await writeMeta(meta, 'session', { ...session, ended })
  })
  tellOutbox({ ids: [], to_send: true })
}

/** The outbox stays. `isEnding`: no site was chosen, so the session may not be in the store. */
export async function forgetSession({ isEnding = false } = {}): Promise<void> {
  await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    if (isEnding || (await liveSession(meta)) !== null) await meta.delete('offered_files')
    await meta.delete('session')
    await meta.delete('seal')
  })
}

/** Null also after the server ended the session. */
export const currentSession = (): Promise<DeviceSession | null> =>
  transact(['meta'], 'readonly', (tx) => liveSession(tx.objectStore('meta')))

/** Null once somebody has signed in since. */
export const refusedToken = (): Promise<string | null> =>
  transact(['meta'], 'readonly', async (tx) => {
    const session = await readMeta(tx.objectStore('meta'), 'session')
    return session?.ended ? session.token : null
  })

type MetaStore = Parameters<typeof readMeta>[0] &
  Parameters<typeof writeMeta>[0] & { delete(key: string): Promise<unknown> }

export async function liveSession(meta: Parameters<typeof readMeta>[0]): Promise<DeviceSession | null> {
  const session = await readMeta(meta, 'session')
  return session === null || session.ended ? null : session
}

/** A newer sign-in is left alone. */
export async function noteSessionRefused(meta: MetaStore, token: string): Promise<void> {
  const session = await readMeta(meta, 'session')
  if (session?.token !== token) return
  if (!session.ended) await meta.delete('offered_files')
  await writeMeta(meta, 'session', { ...session, ended: true })
  await meta.delete('seal')
}
