import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { Trx } from '../db/environment.ts'

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

export type KeyedRequest = { key: string; endpoint: string; hash: Buffer }

/** What makes two requests the same: the call, its address and its body to the letter. */
export const requestHash = (endpoint: string, address: string, body: string): Buffer =>
  createHash('sha256').update(`${endpoint}\n${address}\n${body}`).digest()

/**
 * Claims a key inside the transaction that will apply the action: either both the action and its stored answer are committed,
 * or neither is.
 */
export async function claimKey(trx: Trx, request: KeyedRequest): Promise<Claim> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${request.key}, 7302115)) as locked`.execute(trx)
  if (!rows[0]?.locked) return { state: 'running' }
  const stored = await trx
    .selectFrom('idempotency_keys')
    .select(['endpoint', 'request_hash', 'status', 'answer'])
    .where('key', '=', request.key)
    .executeTakeFirst()
  if (!stored) return { state: 'fresh' }
  if (!stored.request_hash.equals(request.hash)) return { state: 'reused' }
  return { state: 'stored', stored }
}

export async function storeAnswer(
  trx: Trx,
  request: KeyedRequest,
  { status, answer }: StoredAnswer,
  user_id: number,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('idempotency_keys')
    .values({
      key: request.key,
      user_id,
      endpoint: request.endpoint,
      request_hash: request.hash,
      status,
      answer,
      created_at: now.toISOString(),
    })
    .execute()
}
