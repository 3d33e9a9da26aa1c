import { createHash, timingSafeEqual } from 'node:crypto'

import type { Db, Trx } from '../db/handles.ts'

export type ClaimedDevice = { device_id: string; secret: string }

const written = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/i

/** Reads `X-Device`: a UUID, a dot, and 256 random bits in base64url; null for anything else. */
export function readClaimedDevice(header: string | undefined): ClaimedDevice | null {
  const [, device_id, secret] = written.exec(header ?? '') ?? []
  return device_id === undefined || secret === undefined
    ? null
    : { device_id: device_id.toLowerCase(), secret }
}

/** One SHA-256 is enough, because secrets are 256 random bits. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export async function provenDevice(db: Db | Trx, claimed: ClaimedDevice | null): Promise<string | null> {
  if (claimed === null) return null
  const known = await db
    .selectFrom('devices')
    .select('secret_hash')
    .where('device_id', '=', claimed.device_id)
    .executeTakeFirst()
  const isProven = known?.secret_hash && timingSafeEqual(known.secret_hash, hashSecret(claimed.secret))
  return isProven ? claimed.device_id : null
}
