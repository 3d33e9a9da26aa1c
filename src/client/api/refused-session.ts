import * as v from 'valibot'

import { refusal } from '../../contract/wire.ts'
import { currentSession, leaveSession } from './session.ts'

/** Ends the session on a 401 of the server's own; false when a portal or a proxy refused. */
export function heedUnauthorized(body: unknown, token: string | null): boolean {
  if (!v.is(refusal, body) || body.code !== 401) return false
  if (token !== null && currentSession()?.token === token) leaveSession()
  return true
}
