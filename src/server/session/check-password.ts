import { createHmac, randomBytes } from 'node:crypto'

import type { Db } from '../db/handles.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { provenDevice } from '../http/claimed-device.ts'
import { networkOf } from './network-of.ts'
import { isShutPassword, tellShut } from './demonstration-accounts.ts'
import { hashPassword, isPasswordOf } from './password-hash.ts'
import { inLine } from './sign-in-line.ts'
import { takeTurns } from './take-turns.ts'
import {
  accountOf,
  clearCounters,
  type Counter,
  homeOfDevice,
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
export async function checkPassword(
  db: Db,
  exchange: PublicExchange | Exchange,
  username: string,
  password: string,
): Promise<Outcome<KnownUser | null>> {
  const network = networkOf(exchange.address)
  const device_id =
    'caller' in exchange ? exchange.caller.device_id : await provenFrom(db, network, exchange.claimed_device)
  const place: Place = { network, device: device_id === null ? null : homeOfDevice(device_id) }
  const isHome = place.device !== null && (await isNameAtHome(db, username, place.device, exchange.now))
  const check = () => checkInTurn(db, exchange, place, username, password)
  return isHome ? inLine('home', place.device ?? '', check) : inLine('open', network, check)
}

/** Looks for claimed devices of one network at once; beyond that they are taken for unknown ones. */
const mostLooks = 10
const looking = new Map<string, number>()

async function provenFrom(
  db: Db,
  network: string,
  claimed: PublicExchange['claimed_device'],
): Promise<string | null> {
  const before = looking.get(network) ?? 0
  if (claimed === null || before >= mostLooks) return null
  looking.set(network, before + 1)
  try {
    return await looks.run(() => provenDevice(db, claimed))
  } finally {
    const left = (looking.get(network) ?? 1) - 1
    if (left > 0) looking.set(network, left)
    else looking.delete(network)
  }
}

async function isNameAtHome(db: Db, username: string, device: string, now: Date): Promise<boolean> {
  const user = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return user !== undefined && isAtHome(db, accountOf(user.id), device, now)
}

/** Where an attempt is made from; `device` is one that proved itself. */
type Place = { network: string; device: string | null }

/** Whether claimed devices are known is asked two at a time: a flood of them takes two connections. */
const looks = takeTurns({ atOnce: 2 })

async function checkInTurn(
  db: Db,
  exchange: PublicExchange,
  place: Place,
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

  const { now } = exchange
  const account = user ? accountOf(user.id) : `name ${username.toLowerCase()}`
  const { homes, counters } = await countersOf(db, now, place, account)
  const noted = await noteAttempt(db, counters, now)
  if (!noted.ok) return noted

  const isRight = await isPasswordOf(user?.password_hash ?? (await nobodysHash), password)
  if (!user || !isRight) return { ok: true, answer: null }
  if (isShutPassword(exchange.environment, password)) {
    tellShut(exchange.environment, user.id)
    return { ok: true, answer: null }
  }
  await db.transaction().execute(async (trx) => {
    await takeBackAttempt(trx, noted.answer)
    await clearCounters(trx, [{ limit: 'account', of: account }, ...homes.map(homeCounter(account))])
    for (const home of homes) await noteHome(trx, account, home, now)
  })
  return { ok: true, answer: user }
}

const homeCounter =
  (account: string) =>
  (home: string): Counter => ({ limit: 'home', of: `${account} ${home}` })

/**
 * What an attempt counts against. On a device where the account has signed in, its own counter alone: guesses made on anything else, the
 * library's own network included, do not keep its people out. At an address where it is at home, the counter of that place with the
 * address's; elsewhere the account's, the address's and everybody's.
 */
async function countersOf(
  db: Db,
  now: Date,
  { network, device }: Place,
  account: string,
): Promise<{ homes: string[]; counters: Counter[] }> {
  const homes = device === null ? [network] : [network, device]
  if (device !== null && (await isAtHome(db, account, device, now))) {
    return { homes, counters: [homeCounter(account)(device)] }
  }
  const atNetwork: Counter = { limit: 'address', of: network }
  return (await isAtHome(db, account, network, now))
    ? { homes, counters: [homeCounter(account)(network), atNetwork] }
    : { homes, counters: [{ limit: 'account', of: account }, { limit: 'everyone' }, atNetwork] }
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
