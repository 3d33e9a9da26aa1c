import { isIPv6 } from 'node:net'

import type { Db, Trx } from '../db/handles.ts'
import { provenDevice } from '../http/claimed-device.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { takeTurns } from '../http/take-turns.ts'
import {
  type Attempt,
  clearCounters,
  type Counter,
  forgiveAttempt,
  homeOfDevice,
  isAtHome,
  noteAttempt,
  noteHome,
} from './sign-in-attempts.ts'

/** Where somebody shows who they are; `device` is one that proved itself. */
export type SignInPlace = { network: string; device: string | null }

export async function placeOf(db: Db, exchange: PublicExchange | Exchange): Promise<SignInPlace> {
  const network = networkOf(exchange.address)
  const device_id =
    'caller' in exchange ? exchange.caller.device_id : await provenFrom(db, network, exchange.claimed_device)
  return { network, device: device_id === null ? null : homeOfDevice(device_id) }
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

/** A flood of claimed devices takes two connections at most. */
const looks = takeTurns({ atOnce: 2 })

/** What a success takes back and remembers. */
export type AttemptAt = { attempt: Attempt; account: string; homes: readonly string[]; now: Date }

/** Counts an attempt on an account as failed before it is verified; 429 while slowed. */
export async function noteAttemptAt(
  db: Db,
  place: SignInPlace,
  account: string,
  now: Date,
): Promise<Outcome<AttemptAt>> {
  const { homes, counters } = await countersOf(db, now, place, account)
  const noted = await noteAttempt(db, counters, now)
  return noted.ok ? { ok: true, answer: { attempt: noted.answer, account, homes, now } } : noted
}

/** Forgets the account's failures, and remembers that it is at home here. */
export async function noteSuccessAt(trx: Trx, { attempt, account, homes, now }: AttemptAt): Promise<void> {
  await forgiveAttempt(trx, attempt)
  await clearCounters(trx, [{ limit: 'account', of: account }, ...homes.map(homeCounter(account))])
  for (const home of homes) await noteHome(trx, account, home, now)
}

const homeCounter =
  (account: string) =>
  (home: string): Counter => ({ limit: 'home', of: `${account} ${home}` })

/** Where an account is at home it has a counter of its own, so that guesses elsewhere lock nobody out. */
async function countersOf(
  db: Db,
  now: Date,
  { network, device }: SignInPlace,
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

/** Attempts are counted by IPv4 address, or by the /64 that one IPv6 subscriber commands. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end stands for two groups.
  const counted = [...before, ...after].length + (bare.includes('.') ? 1 : 0)
  const groups = [...before, ...(tail === undefined ? [] : Array<string>(8 - counted).fill('0')), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
