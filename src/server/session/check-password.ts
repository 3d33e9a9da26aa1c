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

/** Whether a password is a user's; null for a wrong one and an unknown name alike, 429 while slowed. */
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

/** Beyond so many looks at once from one network, claimed devices are taken for unknown ones. */
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

/** `device` is one that proved itself. */
type Place = { network: string; device: string | null }

/** A flood of claimed devices takes two connections at most. */
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

/** Where an account is at home it has a counter of its own, so that guesses elsewhere lock nobody out. */
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
