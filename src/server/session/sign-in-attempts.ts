import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import { type Outcome, refuse } from '../http/outcome.ts'

const minute = 60_000

/** After `free` failures each one doubles the wait, up to `longest` seconds; time forgets them. */
type Limit = { free: number; longest: number; forgetsOneIn: number }

const limits = {
  /** Slows a guess of one account that is spread over many addresses. */
  account: { free: 5, longest: 900, forgetsOneIn: 30 * minute },
  /** One account at an address or device where it is at home. */
  home: { free: 5, longest: 900, forgetsOneIn: 30 * minute },
  /** One address, which a whole library often shares. */
  address: { free: 20, longest: 900, forgetsOneIn: 5 * minute },
  /** Slows a guess spread over accounts and addresses; its longest wait is short, for it meets everybody. */
  everyone: { free: 100, longest: 60, forgetsOneIn: minute },
  reset_account: { free: 3, longest: 900, forgetsOneIn: 20 * minute },
  reset_address: { free: 20, longest: 900, forgetsOneIn: 5 * minute },
} as const satisfies Record<string, Limit>

export type Counter = { limit: keyof typeof limits; of?: string }

/** The state before the attempt, which a success restores. */
export type Attempt = { at: string; before: { key: string; failures: number; last_failure_at: string }[] }

const homeDays = 30

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const keyOf = ({ limit, of }: Counter) => (of === undefined ? limit : `${limit}:${hashed(of)}`)
/** The wait grows no further after these failures, so that a day forgets any attack. */
const most = ({ free, longest }: Limit) => free + Math.ceil(Math.log2(longest))

/** Counts an attempt as failed before it is verified, so that simultaneous ones count; 429 while slowed. */
export async function noteAttempt(
  db: Db,
  counters: readonly Counter[],
  now: Date,
): Promise<Outcome<Attempt>> {
  const at = now.toISOString()
  // One order for all, so that two attempts never wait for each other.
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

/** Undoes the transaction, because a row for each refused guess would fill the table. */
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

export async function forgiveAttempt(trx: Trx, { at, before }: Attempt): Promise<void> {
  for (const { key, failures, last_failure_at } of before) {
    // Another attempt came in between, so only this one is taken off.
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

export const accountOf = (user_id: number): string => `user ${user_id}`
export const homeOfDevice = (device_id: string): string => `device ${device_id}`

const homeKey = (account: string, home: string) => `at_home:${hashed(`${account} ${home}`)}`

/** Whether this account signed in here lately, where guesses made elsewhere must not keep its owner out. */
export async function isAtHome(db: Db, account: string, home: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('login_failures')
    .select('key')
    .where('key', '=', homeKey(account, home))
    .where('last_failure_at', '>', new Date(now.getTime() - homeDays * 24 * 60 * minute).toISOString())
    .executeTakeFirst()
  return row !== undefined
}

export async function noteHome(trx: Trx, account: string, home: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await trx
    .insertInto('login_failures')
    .values({ key: homeKey(account, home), failures: 0, last_failure_at: at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ last_failure_at: at }))
    .execute()
  await forgetOldAttempts(trx, now)
}

/** Forgets counters after a day, and homes after their own time. */
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
