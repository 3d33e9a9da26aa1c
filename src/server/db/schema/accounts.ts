import type { ColumnType, Generated } from 'kysely'

import type { Id, Instant } from './column-kinds.ts'

/** Who works there, and on what. */
export type AccountTables = {
  users: {
    id: Id
    username: string
    firstname: Generated<string>
    lastname: Generated<string>
    email: string | null
    password_hash: string
    /** False for whoever was invited, until they choose one. */
    password_chosen: Generated<boolean>
    profile: number
    enabled: Generated<boolean>
    /** By sessions that are forgotten (housekeeping); the others tell it themselves. */
    last_used_at: Generated<Instant | null>
    created_at: Generated<Instant>
    deleted_at: Instant | null
  }
  /** Where a person's rights differ from the profile's: held beside them, or taken away. */
  user_rights: { user_id: number; right_code: string; held: boolean }
  user_sites: { user_id: number; site: number }
  sessions: {
    id: Id
    token_hash: Buffer
    user_id: number
    /** The device it was opened on, where that one proved itself. */
    device_id: string | null
    created_at: Instant
    last_used_at: Instant
    revoked_at: Instant | null
    /** It was opened without the second factor that the profile asks for. */
    second_factor_due: Generated<boolean>
  }
  /** Keys that seal a session's actions, kept after it for as long as an action may wait. */
  session_seals: {
    id: string
    /** `token_hash` of the session, which may be gone. */
    session: Buffer
    user_id: number
    seal_key: Buffer
    created_at: Instant
    revoked_at: Instant | null
  }
  password_links: {
    token_hash: Buffer
    kind: 'login' | 'reset'
    user_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  user_factors: {
    user_id: number
    /** As shared with the person's application; no backup takes it along. */
    secret: Buffer
    created_at: Instant
    /** Null until a code of it was shown. */
    confirmed_at: Instant | null
    /** The last half minute whose code served; earlier ones never do. */
    last_step: Generated<number>
  }
  user_recovery_codes: { user_id: number; code_hash: Buffer; used_at: Instant | null }
  login_failures: { key: string; failures: number; last_failure_at: Instant }
  devices: {
    device_id: string
    name: Generated<string>
    /** SHA-256 of the secret by which it proves itself; null until it signs in with one. */
    secret_hash: Generated<Buffer | null>
    added_by: Generated<number | null>
    user_id: number | null
    site: number | null
    first_seen: Instant
    last_seen: Instant
    /** Null while the server knows the device by its actions only. */
    reported_at: Instant | null
    app_version: Generated<string>
    browser: Generated<string>
    waiting: Generated<number>
    conflicts: Generated<number>
    quarantined: Generated<number>
    oldest_at: Instant | null
    snapshot_at: Instant | null
    storage_used: number | null
    replays: Generated<number>
    refusals: Generated<number>
  }
  user_filters: { user_id: number; list: string; codes: string[]; date_update: Instant }
  views: {
    id: Id
    list: string
    user_id: number
    name: string
    shared: boolean
    content: ColumnType<unknown, string, string>
    date_update: Instant
  }
}
