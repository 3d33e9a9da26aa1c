import type {
  findEnvironment as findEnvironmentCall,
  logIn as logInCall,
  logInByLink as logInByLinkCall,
} from '../../contract/session.ts'
import { unknownSignIn, wrongSignIn } from '../../domain/sentences/session.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, failedSignIn, type Outcome, refuse, type Refused } from '../http/outcome.ts'
import { checkPassword, rememberVerified } from './check-password.ts'
import { isShut, tellShut } from './demonstration-accounts.ts'
import { openSession } from './open-session.ts'
import { findLinkHolder, linkEnded, useLink } from './password-links.ts'
import { noteFactor, showFactor } from './show-second-factor.ts'

/** Opens a session for whom `admit` lets in, once their second factor is shown where they have one. */
async function openProven(
  db: Db,
  exchange: PublicExchange,
  { user_id, second_factor }: { user_id: number; second_factor: string | undefined },
  admit: (trx: Trx) => Promise<Outcome<{ id: number }>>,
): Promise<Outcome<{ token: string }>> {
  const noted = await noteFactor(db, exchange, user_id, second_factor)
  if (!noted.ok) return noted
  const opened = db.transaction().execute(async (trx): Promise<Outcome<{ token: string }>> => {
    const admitted = await admit(trx)
    if (!admitted.ok) return admitted
    const shown = await showFactor(trx, exchange, user_id, second_factor, noted.answer)
    if (!shown.ok) throw new UnprovenError(shown)
    return done({ token: await openSession(trx, exchange, admitted.answer) })
  })
  return opened.catch((error: unknown) => {
    if (error instanceof UnprovenError) return error.refused
    throw error
  })
}

/** Undoes the transaction, so that a link is not used up without the code that it asks for. */
class UnprovenError extends Error {
  constructor(readonly refused: Refused) {
    super('the second factor was not shown')
  }
}

export async function logInByLink(
  db: Db,
  { body }: VerbInput<typeof logInByLinkCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ token: string }>> {
  const holder = await findLinkHolder(db, 'login', body.token, exchange.now)
  if (!holder) return linkEnded('login')
  if (await isShut(db, exchange.environment, holder.id)) {
    tellShut(exchange.environment, holder.id)
    return linkEnded('login')
  }
  const proof = { user_id: holder.id, second_factor: body.second_factor }
  return openProven(db, exchange, proof, (trx) => useLink(trx, 'login', body.token, exchange.now))
}

export async function logOut(trx: Trx, _input: unknown, exchange: Exchange): Promise<Outcome<null>> {
  const { user_id, token_hash } = exchange.caller
  await trx
    .updateTable('sessions')
    .set({ revoked_at: exchange.now.toISOString() })
    .where('token_hash', '=', token_hash)
    .execute()
  await journal(trx, exchange, { action: 'session.close', entity: 'users', entity_id: user_id })
  return done(null)
}

const notFound = failedSignIn(refuse({ status: 401, message: unknownSignIn }))
const wrong = failedSignIn(refuse({ status: 401, message: wrongSignIn }))

/** The first step of a sign-in checks the password and answers its environment. */
export async function findEnvironment(
  db: Db,
  { body }: VerbInput<typeof findEnvironmentCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ environment_id: number }>> {
  const checked = await checkPassword(db, exchange, body.username, body.password)
  if (!checked.ok) return checked
  if (!checked.answer) return notFound
  rememberVerified(checked.answer, body.password)
  return done({ environment_id: exchange.environment.id })
}

/** The second step opens the session of `name@environment_id`; the second factor is asked once the password was right. */
export async function logIn(
  db: Db,
  { body }: VerbInput<typeof logInCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ token: string }>> {
  const [, name, environment] = /^(.+)@(\d{1,9})$/.exec(body.username) ?? []
  const isHere = Number(environment) === exchange.environment.id
  // A name of elsewhere gets an @ that makes it nobody's, and is checked to take as long.
  const checked = await checkPassword(
    db,
    exchange,
    isHere && name ? name : `@${body.username}`,
    body.password,
  )
  if (!checked.ok) return checked
  const user = checked.answer
  if (!user) return wrong
  const proof = { user_id: user.id, second_factor: body.second_factor }
  return openProven(db, exchange, proof, async (trx) => {
    // The password may have changed, or the user been disabled, while it was verified.
    const still = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst()
    return still ? done(still) : wrong
  })
}
