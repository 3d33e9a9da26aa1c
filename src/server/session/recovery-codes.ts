import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Trx } from '../db/handles.ts'
import { base32 } from './totp.ts'

const howMany = 10
const letters = 12

/** Sixty random bits, which is why one SHA-256 is enough; nobody else's code has the same hash. */
const hashCode = (user_id: number, code: string): Buffer =>
  createHash('sha256').update(`${user_id} ${code}`).digest()

/** As they are written down: « abcd-efgh-ijkl ». */
export const isRecoveryCode = (plain: string): boolean => /^[a-z2-7]{12}$/.test(plain)

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
export async function useRecoveryCode(
  trx: Trx,
  user_id: number,
  plain: string,
  now: Date,
): Promise<number | null> {
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
