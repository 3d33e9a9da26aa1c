import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import type { Environment } from '../db/environment.ts'
import type { Parameters } from '../settings/parameters.ts'

/** Who calls, as the server knows it. */
export type Caller = {
  user_id: number
  username: string
  role: string
  rights: ReadonlySet<Right>
  /** Sites open to the person; empty is all of them. */
  sites: readonly number[]
  token_hash: Buffer
}

/** What every verb may know of the call it serves, whoever makes it. */
export type PublicExchange = {
  environment: Environment
  parameters: Parameters
  now: Date
  /** Today in the library's time zone. */
  today: CalendarDay
  /** Network address of the caller, for throttling. */
  address: string
  /** Address of the product in links of mails, without a slash at its end; never taken from the request. */
  publicUrl: string
  /** To be called once a mail that somebody waits for is committed: it leaves at once. */
  hurryMails(): void
  /** The call's Idempotency-Key. */
  key: string | null
}

/** A call by someone who signed in. */
export type Exchange = PublicExchange & {
  caller: Caller
  /** Whose action it is, when the caller took it over (QUEUE_ADOPT); both are kept in the journal. */
  on_behalf_of: number | null
  /** The site the person works for, where what is done is recorded; null is none in particular. */
  site: number | null
  /** The sites whose lists the person sees; null is every site. */
  sites: readonly number[] | null
}

/** Whether what is kept at a site (null: at none) is open to a person; the site they chose only limits lists. */
export const isOpenTo = ({ sites }: Pick<Caller, 'sites'>, site: number | null): boolean =>
  sites.length === 0 || (site !== null && sites.includes(site))

/** What a person sees from a site (null: from none in particular): that site, else all that are open to them (null: every site). */
export function sitesSeen({ sites }: Pick<Caller, 'sites'>, site: number | null): readonly number[] | null {
  if (site !== null) return [site]
  return sites.length > 0 ? sites : null
}
