import * as v from 'valibot'

import { getSnapshot, type SnapshotPage } from '../contract/snapshot.ts'
import { refusal } from '../contract/wire.ts'
import { measureOffset, noteOffset } from './device-clock.ts'
import type { DeviceSession } from './device-meta.ts'
import { transact } from './device-store.ts'
import type { DeviceFetch } from './send-entry.ts'
import { noteSessionRefused } from './session-mirror.ts'

export type RefreshEnd = 'network' | 'signed-out' | 'refused'
export class RefreshStopped extends Error {
  override name = 'RefreshStopped'
  readonly why: RefreshEnd
  constructor(why: RefreshEnd) {
    super(why)
    this.why = why
  }
}

export type PageSettings = { fetch: DeviceFetch; site: number; session: DeviceSession; now: () => number }

/** Rows are not checked: there are 200,000, and they are the server's own. */
const envelope = v.looseObject({
  cursor: v.string(),
  complete: v.boolean(),
  reset: v.boolean(),
  total: v.number(),
  copies: v.array(v.unknown()),
  beneficiaries: v.array(v.unknown()),
  loanings: v.array(v.unknown()),
  reservations: v.array(v.unknown()),
})

const pageMs = 60_000

/** Throws `RefreshStopped`. */
export async function fetchPage(cursor: string | null, settings: PageSettings): Promise<SnapshotPage> {
  const query = new URLSearchParams({
    site: String(settings.site),
    ...(cursor === null ? {} : { since: cursor }),
  })
  const page = await readOurs(`${getSnapshot.path}?${query.toString()}`, envelope, settings)
  return page as unknown as SnapshotPage
}

/** What the server answers a read; throws `RefreshStopped`. */
export async function readOurs<T>(
  address: string,
  schema: v.GenericSchema<T>,
  { fetch, site, session, now }: PageSettings,
): Promise<T> {
  const sent = now()
  let response: Response
  let answer: unknown
  try {
    response = await fetch(address, {
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${session.token}`,
        'X-Site': String(site),
      },
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(pageMs),
    })
    answer = await response.json()
  } catch {
    throw new RefreshStopped('network')
  }
  // A captive portal or a proxy refuses in another form: that is no answer of ours.
  const isOurs = v.is(refusal, answer) && answer.code === response.status
  if (isOurs && response.status === 401) {
    await transact(['meta'], 'readwrite', (tx) => noteSessionRefused(tx.objectStore('meta'), session.token))
    throw new RefreshStopped('signed-out')
  }
  if (isOurs && response.status === 403) throw new RefreshStopped('refused')
  if (!response.ok || response.redirected || !v.is(schema, answer)) throw new RefreshStopped('network')
  const offset = measureOffset(response.headers.get('date'), sent, now())
  await transact(['meta'], 'readwrite', (tx) => noteOffset(tx.objectStore('meta'), offset, new Date(now())))
  return answer
}
