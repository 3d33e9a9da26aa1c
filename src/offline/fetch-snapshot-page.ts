import * as v from 'valibot'

import { getSnapshot, type SnapshotPage } from '../contract/snapshot.ts'
import { refusal } from '../contract/wire.ts'
import { measureOffset, noteOffset } from './device-clock.ts'
import type { DeviceSession } from './device-meta.ts'
import { transact } from './device-store.ts'
import type { DeviceFetch } from './send-entry.ts'
import { endSession } from './session-mirror.ts'

/** Why a refresh ended before it was complete. */
export type RefreshEnd = 'network' | 'signed-out' | 'refused'
export class RefreshStopped extends Error {
  override name = 'RefreshStopped'
  readonly why: RefreshEnd
  constructor(why: RefreshEnd) {
    super(why)
    this.why = why
  }
}

type PageSettings = { fetch: DeviceFetch; site: number; session: DeviceSession; now: () => number }

/** The envelope is checked, the rows are taken as they come: the server answers for them, and there are 200,000. */
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

/** Asks for one page; throws `RefreshStopped` when there is none to be had. */
export async function fetchPage(
  cursor: string | null,
  { fetch, site, session, now }: PageSettings,
): Promise<SnapshotPage> {
  const query = new URLSearchParams({ site: String(site), ...(cursor === null ? {} : { since: cursor }) })
  const sent = now()
  let response: Response
  let page: unknown
  try {
    response = await fetch(`${getSnapshot.path}?${query.toString()}`, {
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
    page = await response.json()
  } catch {
    throw new RefreshStopped('network')
  }
  // A portal or a proxy refuses in its own words: that is no answer of the server's.
  const isOurs = v.is(refusal, page) && page.code === response.status
  if (isOurs && response.status === 401) {
    await transact(['meta'], 'readwrite', (tx) => endSession(tx.objectStore('meta'), session.token))
    throw new RefreshStopped('signed-out')
  }
  if (isOurs && response.status === 403) throw new RefreshStopped('refused')
  if (!response.ok || response.redirected || !v.is(envelope, page)) throw new RefreshStopped('network')
  const offset = measureOffset(response.headers.get('date'), sent, now())
  await transact(['meta'], 'readwrite', (tx) => noteOffset(tx.objectStore('meta'), offset, new Date(now())))
  return page as unknown as SnapshotPage
}
