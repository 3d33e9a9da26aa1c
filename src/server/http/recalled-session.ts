import type { CompiledQuery } from 'kysely'

import type { Db } from '../db/handles.ts'
import { ahead, sendHeld } from '../db/lane.ts'

/** A session as it was when it last called, and how to ask whether it still is. */
export type RecalledSession = {
  asked: { compile(db: Db): CompiledQuery }
  isStill(row: unknown): boolean
}

/** A session is not what it was, or what was recalled of it is not enough: it has to be looked at first. */
export class SessionUnsureError extends Error {
  override readonly name = 'SessionUnsureError'
}

/**
 * Runs what only reads and locks for a session that is taken to be what it was, and asks along with it whether it is: one round trip for
 * both. Throws SessionUnsureError where it is not, whatever was found.
 */
export async function whileStill<T>(lane: Db, session: RecalledSession, work: () => Promise<T>): Promise<T> {
  const { answer } = await ahead(lane, session.asked)
  const found = await work()
  await sendHeld(lane)
  const { rows } = await answer()
  if (!session.isStill(rows[0])) throw new SessionUnsureError()
  return found
}
