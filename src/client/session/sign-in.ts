import { findEnvironment, logIn, logInByLink } from '../../contract/session.ts'
import { signInFailed, unknownSignIn, wrongSignIn } from '../../domain/sentences/session.ts'
import { deviceProof } from '../../offline/device-meta.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { environmentQuery } from './environment-data.ts'
import { beginSession } from '../api/session.ts'

/** A sign-in that did not succeed, in the sentence to show. */
export class SignInError extends Error {
  override name = 'SignInError'
}

/** The two steps of a sign-in: which environment knows the person, then a token of it. Throws SignInError. */
export async function signIn(username: string, password: string): Promise<void> {
  const device = await ownProof()
  const { environment_id } = await call(findEnvironment, { body: { username, password }, device }).catch(
    (error: unknown) => {
      throw explained(error, unknownSignIn)
    },
  )
  const full = `${username}@${environment_id}`
  const { token } = await call(logIn, { body: { username: full, password }, device }).catch(
    (error: unknown) => {
      throw explained(error, wrongSignIn)
    },
  )
  beginSession(token, environment_id)
}

/** Makes sure of the signed-in person's password, without another session. Throws SignInError. */
export async function confirmPassword(username: string, password: string): Promise<void> {
  const device = await ownProof()
  await call(findEnvironment, { body: { username, password }, device }).catch((error: unknown) => {
    throw explained(error, wrongSignIn)
  })
}

/** Signs in by the token of a mailed link, which serves once. Throws SignInError. */
export async function signInByLink(linkToken: string): Promise<void> {
  try {
    const { id } = await queryClient.ensureQueryData(environmentQuery)
    const { token } = await call(logInByLink, { body: { token: linkToken }, device: await ownProof() })
    beginSession(token, id)
  } catch (error) {
    throw explained(error, error instanceof CallError ? error.message : signInFailed)
  }
}

/** Without a store the device is one that nobody knows: that keeps nobody out. */
const ownProof = (): Promise<string | null> => deviceProof().catch(() => null)

/** No network and too many attempts have sentences of their own, which say what to do. */
function explained(error: unknown, refused: string): SignInError {
  if (!(error instanceof CallError) || error.status >= 500) return new SignInError(signInFailed)
  return new SignInError(error.isNoNetwork || error.status === 429 ? error.message : refused)
}
