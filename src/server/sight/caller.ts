import type { Right } from '../../domain/rights.ts'

/** Who calls, as the server knows it. */
export type Caller = {
  user_id: number
  username: string
  /** The person's own name. */
  name: string
  role: string
  rights: ReadonlySet<Right>
  /** Sites open to the person; empty is all of them. */
  sites: readonly number[]
  token_hash: Buffer
  /** The session that calls, by its number. */
  session_id: number
  /** The device it was opened on; null where that one did not prove itself. */
  device_id: string | null
}
