import type { RefusalReason } from '../../domain/refusal-reasons.ts'
import { findEnvironment, logIn, logInByLink } from '../../contract/session.ts'
import { signInFailed, unknownSignIn, wrongSignIn } from '../../domain/sentences/session.ts'
import { deviceProof } from '../../offline/device-meta.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { environmentQuery } from './environment-data.ts'
import { beginSession } from '../api/session.ts'

/** Its message is the sentence to show. */
export class SignInError extends Error {
  override name = 'SignInError'
  readonly reason: RefusalReason | null

  constructor(message: string, reason: RefusalReason | null = null) {
    super(message)
    this.reason = reason
  }
}

/** Two steps: which environment knows the person, then its token. Throws SignInError. */
export async function signIn(username: string, password: string, second_factor?: string): Promise<void> {
  const device = await ownProof()
  const { environment_id } = await call(findEnvironment, { body: { username, password }, device }).catch(
    (error: unknown) => {
      throw explained(error, unknownSignIn)
    },
  )
  const full = `${username}@${environment_id}`
  const { token } = await call(logIn, { body: { username: full, password, second_factor }, device }).catch(
    (error: unknown) => {
      throw explained(error, wrongSignIn)
    },
  )
  beginSession(token, environment_id)
}

/** Throws SignInError. */
export async function confirmPassword(username: string, password: string): Promise<void> {
  const device = await ownProof()
  await call(findEnvironment, { body: { username, password }, device }).catch((error: unknown) => {
    throw explained(error, wrongSignIn)
  })
}

/** Throws SignInError. */
export async function signInByLink(linkToken: string, second_factor?: string): Promise<void> {
  try {
    const { id } = await queryClient.ensureQueryData(environmentQuery)
    const body = { token: linkToken, second_factor }
    const { token } = await call(logInByLink, { body, device: await ownProof() })
    beginSession(token, id)
  } catch (error) {
    throw explained(error, error instanceof CallError ? error.message : signInFailed)
  }
}

/** A device without a store is unknown to the server, which refuses nobody for that. */
const ownProof = (): Promise<string | null> => deviceProof().catch(() => null)

/** No network, too many attempts and what is said of a code keep their own sentences. */
function explained(error: unknown, refused: string): SignInError {
  if (!(error instanceof CallError) || error.status >= 500) return new SignInError(signInFailed)
  const { isNoNetwork, status, reason, message } = error
  return new SignInError(isNoNetwork || status === 429 || reason ? message : refused, reason)
}
