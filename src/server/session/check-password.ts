import { createHmac, randomBytes } from 'node:crypto'

import type { Db } from '../db/handles.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { isShutPassword, tellShut } from './demonstration-accounts.ts'
import { hashPassword, isPasswordOf } from './password-hash.ts'
import { accountOf, isAtHome, forgiveAttempt } from './sign-in-attempts.ts'
import { inLine } from './sign-in-line.ts'
import { noteAttemptAt, noteSuccessAt, type SignInPlace, placeOf } from './sign-in-place.ts'

/** A password is only half of what opens the account of whoever `has_factor`. */
export type KnownUser = { id: number; username: string; password_hash: string; has_factor: boolean }

/** Verified for names that nobody has, so that they take as long as the others. */
const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

/** Whether a password is a user's; null for a wrong one and an unknown name alike, 429 while slowed. */
export async function checkPassword(
  db: Db,
  exchange: PublicExchange | Exchange,
  username: string,
  password: string,
): Promise<Outcome<KnownUser | null>> {
  const place = await placeOf(db, exchange)
  const isHome = place.device !== null && (await isNameAtHome(db, username, place.device, exchange.now))
  const check = () => checkInTurn(db, exchange, place, username, password)
  return isHome ? inLine('home', place.device ?? '', check) : inLine('open', place.network, check)
}

async function isNameAtHome(db: Db, username: string, device: string, now: Date): Promise<boolean> {
  const user = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return user !== undefined && isAtHome(db, accountOf(user.id), device, now)
}

async function checkInTurn(
  db: Db,
  exchange: PublicExchange,
  place: SignInPlace,
  username: string,
  password: string,
): Promise<Outcome<KnownUser | null>> {
  const user = await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'username',
      'password_hash',
      eb
        .exists(
          eb
            .selectFrom('user_factors')
            .select('user_id')
            .whereRef('user_id', '=', 'users.id')
            .where('confirmed_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('has_factor'),
    ])
    .where('username', '=', username)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user && takeVerified(user, password)) return { ok: true, answer: user }

  const account = user ? accountOf(user.id) : `name ${username.toLowerCase()}`
  const noted = await noteAttemptAt(db, place, account, exchange.now)
  if (!noted.ok) return noted

  const isRight = await isPasswordOf(user?.password_hash ?? (await nobodysHash), password)
  if (!user || !isRight) return { ok: true, answer: null }
  if (isShutPassword(exchange.environment, password)) {
    tellShut(exchange.environment, user.id)
    return { ok: true, answer: null }
  }
  await db.transaction().execute(async (trx) => {
    // Failures that a password alone forgot would leave codes free to be guessed by whoever has it.
    if (user.has_factor) await forgiveAttempt(trx, noted.answer.attempt)
    else await noteSuccessAt(trx, noted.answer)
  })
  return { ok: true, answer: user }
}

// A sign-in is two calls, so the second reuses what the first verified, once, within seconds.
const verifiedFor = 30_000
const verified = new Map<string, number>()
const processKey = randomBytes(32)

const traceOf = ({ id, password_hash }: KnownUser, password: string) =>
  createHmac('sha256', processKey)
    .update(JSON.stringify([id, password_hash, password]))
    .digest('base64')

export function rememberVerified(user: KnownUser, password: string): void {
  const now = performance.now()
  for (const [trace, until] of verified) if (until < now) verified.delete(trace)
  verified.set(traceOf(user, password), now + verifiedFor)
}

function takeVerified(user: KnownUser, password: string): boolean {
  const trace = traceOf(user, password)
  const until = verified.get(trace)
  verified.delete(trace)
  return until !== undefined && until >= performance.now()
}
