import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Db, Trx } from '../db/handles.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { failedSignIn, type Outcome, refuse } from '../http/outcome.ts'
import { accountOf } from './sign-in-attempts.ts'
import { type AttemptAt, noteAttemptAt, noteSuccessAt, placeOf } from './sign-in-place.ts'
import { base32, stepOfCode } from './totp.ts'

/** Not a failure yet, so the security log hears nothing of it. */
const missing = refuse({
  status: 401,
  reason: 'SECOND_FACTOR',
  message: 'Saisissez aussi le code de votre application.',
})

export const wrongFactor = 'Ce code n’est pas le bon, ou il a déjà servi.'
const wrong = failedSignIn(refuse({ status: 401, reason: 'SECOND_FACTOR_WRONG', message: wrongFactor }))

export const hasSecondFactor = async (db: Db | Trx, user_id: number): Promise<boolean> =>
  (await db
    .selectFrom('user_factors')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/** Counts a typed code as failed before it is verified, with the limits of passwords; null without one to verify. */
export async function noteFactor(
  db: Db,
  exchange: PublicExchange | Exchange,
  user_id: number,
  typed: string | undefined,
): Promise<Outcome<AttemptAt | null>> {
  if (typed === undefined || !(await hasSecondFactor(db, user_id))) return { ok: true, answer: null }
  return noteAttemptAt(db, await placeOf(db, exchange), accountOf(user_id), exchange.now)
}

/** Lets pass whoever has no second factor, or shows it; each code serves once. `noted` is the attempt. */
export async function showFactor(
  trx: Trx,
  exchange: PublicExchange,
  user_id: number,
  typed: string | undefined,
  noted: AttemptAt | null,
): Promise<Outcome<null>> {
  // Whoever comes second with the same code waits here, and then finds it used.
  const factor = await trx
    .selectFrom('user_factors')
    .select(['secret', 'last_step'])
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!factor) return { ok: true, answer: null }
  // Without an attempt noted, it was set up since.
  if (typed === undefined || noted === null) return missing
  const plain = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  const isShown = isRecoveryCode(plain)
    ? await isUnusedRecoveryCode(trx, exchange, user_id, plain)
    : await isNewCode(trx, { user_id, ...factor }, plain, exchange.now)
  if (!isShown) return wrong
  await noteSuccessAt(trx, noted)
  return { ok: true, answer: null }
}

type Factor = { user_id: number; secret: Buffer; last_step: number }

async function isNewCode(trx: Trx, factor: Factor, plain: string, now: Date): Promise<boolean> {
  const { user_id, secret, last_step } = factor
  const step = stepOfCode(secret, plain, now)
  if (step === null || step <= last_step) return false
  await trx.updateTable('user_factors').set({ last_step: step }).where('user_id', '=', user_id).execute()
  return true
}

async function isUnusedRecoveryCode(trx: Trx, exchange: PublicExchange, user_id: number, plain: string) {
  const left = await useRecoveryCode(trx, user_id, plain, exchange.now)
  if (left === null) return false
  await journal(
    trx,
    { ...exchange, caller: { user_id } },
    { action: 'second_factor.recovery_code', entity: 'users', entity_id: user_id, after: { left } },
  )
  return true
}

const howMany = 10
const letters = 12

/** Sixty random bits, which is why one SHA-256 is enough; nobody else's code has the same hash. */
const hashCode = (user_id: number, code: string): Buffer =>
  createHash('sha256').update(`${user_id} ${code}`).digest()

/** As they are written down: « abcd-efgh-ijkl ». */
const isRecoveryCode = (plain: string): boolean => /^[a-z2-7]{12}$/.test(plain)

/** Replaces the codes of before, and answers the only copy in words. */
export async function giveRecoveryCodes(trx: Trx, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () => base32(randomBytes(8)).slice(0, letters).toLowerCase())
  await trx.deleteFrom('user_recovery_codes').where('user_id', '=', user_id).execute()
  await trx
    .insertInto('user_recovery_codes')
    .values(codes.map((code) => ({ user_id, code_hash: hashCode(user_id, code), used_at: null })))
    .execute()
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'))
}

/** Uses a code up; how many are left, or null for one that is not theirs or has served. */
async function useRecoveryCode(trx: Trx, user_id: number, plain: string, now: Date): Promise<number | null> {
  const unused = await trx
    .selectFrom('user_recovery_codes')
    .select('code_hash')
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .execute()
  const hash = hashCode(user_id, plain)
  const known = unused.filter(({ code_hash }) => timingSafeEqual(code_hash, hash))
  if (known.length === 0) return null
  const used = await trx
    .updateTable('user_recovery_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', user_id)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used ? unused.length - 1 : null
}
