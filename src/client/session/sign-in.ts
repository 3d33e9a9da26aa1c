import { findEnvironment, logIn, logInByLink } from '../../contract/session.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { environmentQuery } from './environment-data.ts'
import { beginSession } from './session.ts'

// Messages of file 2, section 8, to the letter.
const messages = {
  refusedFirst: 'Erreur de connexion. Vérifiez vos identifiants et réessayez.',
  refusedToken: 'Identifiants incorrects',
  serverFailed: 'Erreur de connexion. Veuillez réessayer',
} as const

/** A sign-in that did not succeed, in the sentence to show. */
export class SignInError extends Error {
  override name = 'SignInError'
}

/** The two steps of a sign-in: which environment knows the person, then a token of it. Throws SignInError. */
export async function signIn(username: string, password: string): Promise<void> {
  const { environment_id } = await call(findEnvironment, { body: { username, password } }).catch(
    (error: unknown) => {
      throw explained(error, messages.refusedFirst)
    },
  )
  const full = `${username}@${environment_id}`
  const { token } = await call(logIn, { body: { username: full, password } }).catch((error: unknown) => {
    throw explained(error, messages.refusedToken)
  })
  beginSession(token, environment_id)
}

/** Signs in by the token of a mailed link, which serves once. Throws SignInError. */
export async function signInByLink(linkToken: string): Promise<void> {
  try {
    const { id } = await queryClient.ensureQueryData(environmentQuery)
    const { token } = await call(logInByLink, { body: { token: linkToken } })
    beginSession(token, id)
  } catch (error) {
    throw explained(error, error instanceof CallError ? error.message : messages.serverFailed)
  }
}

/** No network and too many attempts have sentences of their own, which say what to do. */
function explained(error: unknown, refused: string): SignInError {
  if (!(error instanceof CallError) || error.status >= 500) return new SignInError(messages.serverFailed)
  return new SignInError(error.isNoNetwork || error.status === 429 ? error.message : refused)
}
