import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import { type Outcome, refuse } from '../http/outcome.ts'

const minute = 60_000

/** `free` failures cost nothing; each further one doubles the wait from one second, up to `longest` seconds. Time forgets them. */
type Limit = { free: number; longest: number; forgetsOneIn: number }

const limits = {
  /** One account, from wherever it is tried: slows a guess that is spread over many addresses. */
  account: { free: 5, longest: 900, forgetsOneIn: 30 * minute },
  /** One account at an address, or on a device, where it is at home. */
  home: { free: 5, longest: 900, forgetsOneIn: 30 * minute },
  /** One address, whatever it tries; a whole library often stands behind one. */
  address: { free: 20, longest: 900, forgetsOneIn: 5 * minute },
  /** Every account from every address: slows a guess that is spread over both. Its longest wait is short, for it meets everybody. */
  everyone: { free: 100, longest: 60, forgetsOneIn: minute },
  reset_account: { free: 3, longest: 900, forgetsOneIn: 20 * minute },
  reset_address: { free: 20, longest: 900, forgetsOneIn: 5 * minute },
} as const satisfies Record<string, Limit>

export type Counter = { limit: keyof typeof limits; of?: string }

/** What was noted before a password was looked at; a success takes it back. */
export type Attempt = { at: string; before: { key: string; failures: number; last_failure_at: string }[] }

/** How long an address is remembered as one where the account signed in. */
const homeDays = 30

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const keyOf = ({ limit, of }: Counter) => (of === undefined ? limit : `${limit}:${hashed(of)}`)
/** Failures beyond which the wait no longer grows, so that a day forgets any attack. */
const most = ({ free, longest }: Limit) => free + Math.ceil(Math.log2(longest))

/**
 * Notes an attempt as failed before anything is verified, so that attempts made at once are counted as well; refuses with 429 while
 * one of its counters waits. The state is in the database: every process of a server shares it.
 */
export async function noteAttempt(
  db: Db,
  counters: readonly Counter[],
  now: Date,
): Promise<Outcome<Attempt>> {
  const at = now.toISOString()
  // In one order, so that two attempts never wait for each other.
  const wanted = counters.map((counter) => ({ key: keyOf(counter), limit: limits[counter.limit] as Limit }))
  wanted.sort((a, b) => (a.key < b.key ? -1 : 1))
  const noted = db.transaction().execute(async (trx): Promise<Outcome<Attempt>> => {
    await trx
      .insertInto('login_failures')
      .values(wanted.map(({ key }) => ({ key, failures: 0, last_failure_at: at })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    const before = await trx
      .selectFrom('login_failures')
      .select(['key', 'failures', 'last_failure_at'])
      .where(
        'key',
        'in',
        wanted.map(({ key }) => key),
      )
      .orderBy('key')
      .forUpdate()
      .execute()
    const after = wanted.map(({ key, limit }) => {
      const row = before.find((row) => row.key === key)
      const elapsed = Math.max(0, now.getTime() - Date.parse(row?.last_failure_at ?? at))
      const failures = Math.max(0, (row?.failures ?? 0) - Math.floor(elapsed / limit.forgetsOneIn))
      const wait = failures < limit.free ? 0 : Math.min(limit.longest, 2 ** (failures - limit.free))
      return { key, failures: Math.min(failures + 1, most(limit)), wait: wait - elapsed / 1000 }
    })
    const wait = Math.ceil(Math.max(...after.map(({ wait }) => wait)))
    if (wait > 0) throw new Slowed(wait)
    for (const { key, failures } of after) {
      await trx
        .updateTable('login_failures')
        .set({ failures, last_failure_at: at })
        .where('key', '=', key)
        .execute()
    }
    return { ok: true, answer: { at, before } }
  })
  return noted.catch((error: unknown) => {
    if (error instanceof Slowed) return tooMany(error.seconds)
    throw error
  })
}

/** Undoes the transaction: a guess that is refused leaves no row behind, or names without end would fill the table. */
class Slowed extends Error {
  constructor(readonly seconds: number) {
    super('too many attempts')
  }
}

const tooMany = (seconds: number) => {
  const wait =
    seconds < 90 ? `${seconds} seconde${seconds > 1 ? 's' : ''}` : `${Math.ceil(seconds / 60)} minutes`
  return refuse({
    status: 429,
    reason: 'TOO_MANY_ATTEMPTS',
    message: `Trop d’essais. Réessayez dans ${wait}.`,
    retryAfter: seconds,
  })
}

/** Takes an attempt back: it was right, and shared counters stand as if it had not been made. */
export async function takeBackAttempt(trx: Trx, { at, before }: Attempt): Promise<void> {
  for (const { key, failures, last_failure_at } of before) {
    // Another attempt came in between: only this one is taken off.
    await sql`
      update login_failures set
        failures = case when last_failure_at = ${at}::timestamptz then ${failures}::integer else greatest(failures - 1, 0) end,
        last_failure_at = case when last_failure_at = ${at}::timestamptz then ${last_failure_at}::timestamptz else last_failure_at end
      where key = ${key}`.execute(trx)
  }
}

export async function clearCounters(trx: Trx, counters: readonly Counter[]): Promise<void> {
  await trx.deleteFrom('login_failures').where('key', 'in', counters.map(keyOf)).execute()
}

/** What stands for a user, and for a device, in the names of counters. */
export const accountOf = (user_id: number): string => `user ${user_id}`
export const homeOfDevice = (device_id: string): string => `device ${device_id}`

/** `home` is a network (`networkOf`) or a device. */
const homeKey = (account: string, home: string) => `at_home:${hashed(`${account} ${home}`)}`

/**
 * Whether this account signed in from this address, or on this device, of late. There, guesses made from elsewhere must not keep its
 * owner out: only the counters of that place apply.
 */
export async function isAtHome(db: Db, account: string, home: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('login_failures')
    .select('key')
    .where('key', '=', homeKey(account, home))
    .where('last_failure_at', '>', new Date(now.getTime() - homeDays * 24 * 60 * minute).toISOString())
    .executeTakeFirst()
  return row !== undefined
}

/** Remembers where an account signed in (a row that counts no failure), and drops what time has made void. */
export async function noteHome(trx: Trx, account: string, home: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await trx
    .insertInto('login_failures')
    .values({ key: homeKey(account, home), failures: 0, last_failure_at: at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ last_failure_at: at }))
    .execute()
  await forgetOldAttempts(trx, now)
}

/** Counters that a day has made void leave; a place where an account is at home stays as long as it is one. */
export async function forgetOldAttempts(db: Db | Trx, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * minute).toISOString()
  await db
    .deleteFrom('login_failures')
    .where((eb) =>
      eb.or([
        eb('last_failure_at', '<', daysAgo(homeDays)),
        eb.and([eb('last_failure_at', '<', daysAgo(1)), eb('key', 'not like', 'at\\_home:%')]),
      ]),
    )
    .execute()
}
