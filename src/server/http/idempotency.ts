import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { Exchange } from './exchange.ts'

/** How long a key is remembered (page of calls, « Idempotency »), with a margin. */
export const keptDays = 45

/** An answer as it was given, to be given again to the same key. */
export type StoredAnswer = { status: number; answer: string }

export type Claim =
  | { state: 'fresh' }
  | { state: 'stored'; stored: StoredAnswer }
  /** Another call with this key is still running. */
  | { state: 'running' }
  /** The key already served another request. */
  | { state: 'reused' }
  /** The same request was answered to another person, or for another site: what it was answered is theirs. */
  | { state: 'of-another'; wasDone: boolean }

/** Whose a key is: the person whose action it is, whoever sends it, and the site they work for; 0 is none in particular. */
export type KeyOwner = { user_id: number; site: number }

export const keyOwner = ({
  caller,
  on_behalf_of,
  site,
}: Pick<Exchange, 'caller' | 'on_behalf_of' | 'site'>): KeyOwner => ({
  user_id: on_behalf_of ?? caller.user_id,
  site: site ?? 0,
})

export type KeyedRequest = { key: string; endpoint: string; hash: Buffer }

/** What makes two requests the same: the call, its address and its body to the letter. */
export const requestHash = (endpoint: string, address: string, body: string): Buffer =>
  createHash('sha256').update(`${endpoint}\n${address}\n${body}`).digest()

/**
 * Claims a key inside the transaction that will apply the action: either both the action and its stored answer are committed,
 * or neither is.
 */
export async function claimKey(trx: Trx, request: KeyedRequest, owner: KeyOwner): Promise<Claim> {
  const { rows } =
    await sql<KeyRow>`select locked, user_id, site, request_hash, status, answer from claim_key(${request.key}::uuid)`.execute(
      trx,
    )
  const [row] = rows
  if (!row?.locked) return { state: 'running' }
  if (row.request_hash === null) return { state: 'fresh' }
  if (!row.request_hash.equals(request.hash)) return { state: 'reused' }
  const { status, answer } = row
  // Keys of before sites were kept have none: any site of that person is theirs.
  const isOwners = row.user_id === owner.user_id && (row.site ?? owner.site) === owner.site
  if (!isOwners) return { state: 'of-another', wasDone: status < 300 }
  return { state: 'stored', stored: { status, answer } }
}

/** Claims a key that nobody has used; what is sent where somebody has fails (`isKeyUsed`). */
export const claimNewKey = ({ key }: KeyedRequest) => sql`select claim_new_key(${key}::uuid)`

export const isKeyUsed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CK001'

/** Whether the key is this transaction's, and what is stored under it; no hash where nothing is (migration 0014). */
type KeyRow = {
  locked: boolean
  user_id: number | null
  site: number | null
  request_hash: Buffer | null
  status: number
  answer: string
}

/** What stores an answer under its key. */
export const storedAnswer = (
  trx: Trx,
  request: KeyedRequest,
  { status, answer }: StoredAnswer,
  { user_id, site }: KeyOwner,
  now: Date,
) =>
  trx.insertInto('idempotency_keys').values({
    key: request.key,
    user_id,
    site,
    endpoint: request.endpoint,
    request_hash: request.hash,
    status,
    answer,
    created_at: now.toISOString(),
  })
