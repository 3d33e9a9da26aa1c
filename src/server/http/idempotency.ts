import { sql } from 'kysely'
import { createHash } from 'node:crypto'

import { codeOf } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { seesAsMuch, type Visibility, scopeOfViewer } from '../visibility/visibility.ts'
import type { Exchange } from './exchange.ts'

/** The contract's days, and a margin. */
export const keptDays = 45

export type StoredAnswer = { status: number; answer: string }

export type Claim =
  | { state: 'fresh' }
  | { state: 'stored'; stored: StoredAnswer }
  | { state: 'running' }
  /** The key already served another request. */
  | { state: 'reused' }
  /** The answer belongs to another person or another site, or tells what the caller may not see any more. */
  | { state: 'of-another'; wasDone: boolean }

/** The owner of an action, whoever sends it, and their site; 0 for none in particular. */
type KeyOwner = { user_id: number; site: number; visibility: Visibility }

export const keyOwner = ({
  caller,
  on_behalf_of,
  site,
  visibility,
}: Pick<Exchange, 'caller' | 'on_behalf_of' | 'site' | 'visibility'>): KeyOwner => ({
  user_id: on_behalf_of ?? caller.user_id,
  site: site ?? 0,
  visibility,
})

export type KeyedRequest = { key: string; endpoint: string; hash: Buffer; canWait?: boolean }

export const requestHash = (endpoint: string, address: string, body: string): Buffer =>
  createHash('sha256').update(`${endpoint}\n${address}\n${body}`).digest()

/** Claims a key in its action's transaction, so that action and answer are committed together. */
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
  // Old keys have no site and belong to any of that person's.
  const isOwners = row.user_id === owner.user_id && (row.site ?? owner.site) === owner.site
  if (!isOwners || !(await isToldStill(trx, request, owner)))
    return { state: 'of-another', wasDone: status < 300 }
  return { state: 'stored', stored: { status, answer } }
}

/** Whoever sends it may be another than its owner (QUEUE_ADOPT), or see less than they did. */
async function isToldStill(trx: Trx, { key }: KeyedRequest, { visibility }: KeyOwner): Promise<boolean> {
  const { told_by } = await trx
    .selectFrom('idempotency_keys')
    .select('told_by')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return told_by === null || seesAsMuch(visibility, told_by)
}

/** Claims a key taken for new; where it is not, what follows fails (`isKeyUsed`). */
export const claimNewKey = ({ key }: KeyedRequest) => sql`select claim_new_key(${key}::uuid)`

export const isKeyUsed = (error: unknown): boolean => codeOf(error) === 'CK001'

/** What a claim reads: whether it got the key, and what is stored under it. */
type KeyRow = {
  locked: boolean
  user_id: number | null
  site: number | null
  request_hash: Buffer | null
  status: number
  answer: string
}

export const storedAnswer = (
  trx: Trx,
  request: KeyedRequest,
  { status, answer }: StoredAnswer,
  { user_id, site, visibility }: KeyOwner,
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
    // What waits for the network tells of readers what the counter knows, whatever else its sender may see.
    told_by: JSON.stringify({ ...scopeOfViewer(visibility), ...(request.canWait ? { rights: [] } : {}) }),
    created_at: now.toISOString(),
  })
