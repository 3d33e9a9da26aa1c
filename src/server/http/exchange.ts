import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Openings } from '../../domain/open-days.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { ClaimedDevice } from './claimed-device.ts'
import type { Installed } from './installed.ts'
import type { Parameters } from '../library-facts/parameters.ts'
import type { MailTransport } from './mail-transport.ts'
import type { Visibility } from '../visibility/visibility.ts'
import type { Caller } from '../visibility/caller.ts'

export type PublicExchange = {
  environment: Environment
  parameters: Parameters
  /** When each site is open. */
  openings: Openings
  now: Date
  /** Today in the library's time zone. */
  today: CalendarDay
  address: string
  /** What the caller says of its device while signing in, to be believed only with its secret. */
  claimed_device: ClaimedDevice | null
  /** The product's address in mails, without a slash at its end; never taken from the request. */
  publicUrl: string
  /** Addresses of the catalogues that are asked what a code is, in order. */
  lookUpSources: readonly string[]
  /** The file or the address of this library's persons, or null. */
  syncSource: string | null
  /** Where mails leave by; null in a process that sends none. */
  mailTransport: MailTransport | null
  /** Call it once a mail that somebody waits for is committed, so that it leaves at once. */
  hurryMails(): void
  /** For who looks after the installation. */
  installed(): Installed
  key: string | null
  /** What the device says of a body that does not say when it happened. */
  occurred_at?: string
}

export type Exchange = PublicExchange & {
  caller: Caller
  /** The device whose session sealed the call, else the calling session's, where it proved itself. */
  device_id: string | null
  /** The owner of an action that the caller took over (QUEUE_ADOPT); the journal keeps both. */
  on_behalf_of: number | null
  /** The site the person works for, or null for none in particular. */
  site: number | null
  visibility: Visibility
  /** What is done to many records at once, of which this is a part; its undoing finds it in the journal. */
  act?: number
}
