import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { Environment } from '../db/environments/environment.ts'
import { readOpenings } from '../library-facts/openings.ts'
import type { Trx } from '../db/handles.ts'
import type { Parameters } from '../library-facts/parameters.ts'
import type { Exchange } from '../http/exchange.ts'
import { findUserAsCaller } from '../visibility/find-user.ts'
import { isSiteOpen, visibilityOf } from '../visibility/visibility.ts'

type Asked = { user_id: number; site: number | null; device_id: string | null }

/** What a verb is told of whoever asked for a job, or null where they may no longer be there. */
export async function exchangeOfJob(
  trx: Trx,
  { user_id, site, device_id }: Asked,
  { environment, parameters, now }: { environment: Environment; parameters: Parameters; now: Date },
): Promise<Exchange | null> {
  const caller = await findUserAsCaller(trx, { user_id, device_id })
  if (!caller) return null
  const today = calendarDayOf(now, parameters.get('timezone'))
  const visibility = visibilityOf(caller, site, { parameters, today })
  if (site !== null && !isSiteOpen(visibility, site)) return null
  return {
    environment,
    parameters,
    openings: await readOpenings(trx),
    now,
    today,
    address: '',
    claimed_device: null,
    publicUrl: '',
    lookUpSources: [],
    syncSource: null,
    mailTransport: null,
    hurryMails: () => undefined,
    installed() {
      throw new Error('a job comes by no request')
    },
    key: null,
    caller,
    device_id,
    on_behalf_of: null,
    site,
    visibility,
  }
}
