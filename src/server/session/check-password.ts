import { createHmac, randomBytes } from 'node:crypto'

import type { Db } from '../db/environment.ts'
import type { PublicExchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { hashPassword, isPasswordOf } from './password-hash.ts'
import { inLine } from './sign-in-line.ts'
import {
  clearCounters,
  type Counter,
  isAtHome,
  noteAttempt,
  noteHome,
  takeBackAttempt,
} from './sign-in-attempts.ts'

export type KnownUser = { id: number; username: string; password_hash: string }

/** Verified for names that nobody has, so that they take as long as the others. */
const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

/**
 * Whether a password is a user's, counting failures by account, by address and over all. `null` as answer: it is not, or nobody
 * who may sign in has that name — nothing tells one from the other. 429 while attempts are slowed.
 */
export function checkPassword(
  db: Db,
  exchange: PublicExchange,
  username: string,
  password: string,
): Promise<Outcome<KnownUser | null>> {
  return inLine(exchange.address, () => checkInTurn(db, exchange, username, password))
}

async function checkInTurn(
  db: Db,
  exchange: PublicExchange,
  username: string,
  password: string,
): Promise<Outcome<KnownUser | null>> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash'])
    .where('username', '=', username)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user && takeVerified(user, password)) return { ok: true, answer: user }

  const { address, now } = exchange
  const account = user ? `user ${user.id}` : `name ${username.toLowerCase()}`
  const atAccount: Counter = { limit: 'account', of: account }
  const home: Counter = { limit: 'home', of: `${account} ${address}` }
  const counters: Counter[] = (await isAtHome(db, account, address, now))
    ? [home]
    : [atAccount, { limit: 'everyone' }]
  const noted = await noteAttempt(db, [...counters, { limit: 'address', of: address }], now)
  if (!noted.ok) return noted

  const isRight = await isPasswordOf(user?.password_hash ?? (await nobodysHash), password)
  if (!user || !isRight) return { ok: true, answer: null }
  await db.transaction().execute(async (trx) => {
    await takeBackAttempt(trx, noted.answer)
    await clearCounters(trx, [atAccount, home])
    await noteHome(trx, account, address, now)
  })
  return { ok: true, answer: user }
}

// A sign-in is two calls with the same password: what the first verified, the second need not hash again. Kept a few seconds in this
// process under a key of its own, used once; another process simply verifies.
const verifiedFor = 30_000
const verified = new Map<string, number>()
const processKey = randomBytes(32)

const traceOf = ({ id, password_hash }: KnownUser, password: string) =>
  createHmac('sha256', processKey)
    .update(JSON.stringify([id, password_hash, password]))
    .digest('base64')

/** Notes that a password was just verified, for the second call of the same sign-in. */
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
