import { type DeviceSession, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { tellOutbox } from './outbox-news.ts'

/** Notes who signed in (and every change of site), so that the outbox is sent with that person's token. */
export async function rememberSession(session: Omit<DeviceSession, 'ended'>): Promise<void> {
  await transact(['meta'], 'readwrite', (tx) =>
    writeMeta(tx.objectStore('meta'), 'session', { ...session, ended: false }),
  )
  tellOutbox({ ids: [], to_send: true })
}

/** At sign-out: the token leaves the store, the outbox stays. */
export async function forgetSession(): Promise<void> {
  await transact(['meta'], 'readwrite', (tx) => tx.objectStore('meta').delete('session'))
}

/** Who is signed in on this device; null when nobody is, or when the server ended the session. */
export const currentSession = (): Promise<DeviceSession | null> =>
  transact(['meta'], 'readonly', (tx) => liveSession(tx.objectStore('meta')))

type MetaStore = Parameters<typeof readMeta>[0] & Parameters<typeof writeMeta>[0]

export async function liveSession(meta: Parameters<typeof readMeta>[0]): Promise<DeviceSession | null> {
  const session = await readMeta(meta, 'session')
  return session === null || session.ended ? null : session
}

/** The server refused this token. A newer sign-in, made meanwhile, is left alone. */
export async function endSession(meta: MetaStore, token: string): Promise<void> {
  const session = await readMeta(meta, 'session')
  if (session?.token === token) await writeMeta(meta, 'session', { ...session, ended: true })
}
