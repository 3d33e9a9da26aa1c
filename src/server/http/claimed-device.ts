import { createHash, timingSafeEqual } from 'node:crypto'

import type { Db, Trx } from '../db/handles.ts'

/** A device as it calls itself while somebody signs in, with the secret it drew at its first use. */
export type ClaimedDevice = { device_id: string; secret: string }

const written = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/i

/** Reads the header `X-Device`: the device's UUID, a dot, its secret (256 bits in base64url). Anything else is no device. */
export function readClaimedDevice(header: string | undefined): ClaimedDevice | null {
  const [, device_id, secret] = written.exec(header ?? '') ?? []
  return device_id === undefined || secret === undefined
    ? null
    : { device_id: device_id.toLowerCase(), secret }
}

/** Secrets are 256 random bits: one round of SHA-256 keeps them. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The claimed device's id where it is known here and its secret is right; else null. */
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
