import type { CompiledQuery } from 'kysely'

import type { Db } from '../db/handles.ts'
import { ahead, sendHeld } from '../db/connections/statement-batch.ts'

export type RecalledSession = {
  asked: { compile(db: Db): CompiledQuery }
  isStill(row: unknown): boolean
}

/** A recalled session has changed or is not enough, so it must be read first. */
export class SessionUnsureError extends Error {
  override readonly name = 'SessionUnsureError'
}

/** Runs work that only reads, and checks the recalled session along; throws SessionUnsureError. */
export async function whileStill<T>(lane: Db, session: RecalledSession, work: () => Promise<T>): Promise<T> {
  const { answer } = await ahead(lane, session.asked)
  const found = await work()
  await sendHeld(lane)
  const { rows } = await answer()
  if (!session.isStill(rows[0])) throw new SessionUnsureError()
  return found
}

/** Does the same for work that waits its turn, on connections of its own. */
export async function besides<T>(db: Db, session: RecalledSession, work: () => Promise<T>): Promise<T> {
  const [asked, found] = await Promise.allSettled([db.executeQuery(session.asked.compile(db)), work()])
  if (asked.status === 'rejected') throw asked.reason
  if (!session.isStill(asked.value.rows[0])) throw new SessionUnsureError()
  if (found.status === 'rejected') throw found.reason
  return found.value
}
