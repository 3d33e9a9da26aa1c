import * as v from 'valibot'

import { refusal } from '../../contract/wire.ts'
import { currentSession, endSession } from './session.ts'

/**
 * What a 401 says of the session that a call was sent with (null: of none). Only the server's own words end it, and never a newer one:
 * the answer may come after the person has signed in again. False when a portal or a proxy refused: that is no answer of ours.
 */
export function heedUnauthorized(body: unknown, token: string | null): boolean {
  if (!v.is(refusal, body) || body.code !== 401) return false
  if (token !== null && currentSession()?.token === token) endSession()
  return true
}
