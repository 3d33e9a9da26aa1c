import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Environment } from '../db/environment.ts'
import type { ClaimedDevice } from './claimed-device.ts'
import type { Parameters } from '../db/parameters.ts'
import type { Sight } from '../sight/sight.ts'
import type { Caller } from '../sight/caller.ts'

/** What every verb may know of the call it serves, whoever makes it. */
export type PublicExchange = {
  environment: Environment
  parameters: Parameters
  now: Date
  /** Today in the library's time zone. */
  today: CalendarDay
  /** Network address of the caller. */
  address: string
  /** What the caller says of its device while signing in; believed only once its secret is verified. */
  claimed_device: ClaimedDevice | null
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
  /** The device that the call is known to come from: the one whose session sealed it, else the calling session's. */
  device_id: string | null
  /** Whose action it is, when the caller took it over (QUEUE_ADOPT); both are kept in the journal. */
  on_behalf_of: number | null
  /** The site the person works for, where what is done is recorded; null is none in particular. */
  site: number | null
  /** What the person sees. */
  sight: Sight
}
