import type { Right } from '../../domain/rights.ts'

export type Caller = {
  user_id: number
  username: string
  name: string
  role: string
  rights: ReadonlySet<Right>
  /** The person's sites, or none for every site. */
  sites: readonly number[]
  token_hash: Buffer
  session_id: number
  /** The device it was opened on, or null where that one did not prove itself. */
  device_id: string | null
}
