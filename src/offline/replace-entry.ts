import type { DeviceTransaction } from './device-store.ts'
import type { Decision, Entry } from './entry.ts'
import { unsettledEntries } from './outbox-store.ts'
import type { Sealing } from './seal.ts'
import { withoutNames } from './without-names.ts'

// How one entry replaces another, inside the caller's transaction.

/** The entry that replaces it keeps the names. */
export const dropped = (entry: Entry, decision: Decision): Entry => ({
  ...withoutNames(entry),
  state: 'set_aside',
  settled_at: decision.at,
  decision,
})

type Writing = Pick<DeviceTransaction<('outbox' | 'meta')[], 'readwrite'>, 'objectStore'>

export async function followInstead(
  tx: Writing,
  old: string,
  instead: string,
  seal: Sealing['seal'],
): Promise<void> {
  const followers = (await unsettledEntries(tx)).filter(
    ({ depends_on, attempts }) => depends_on === old && attempts === 0,
  )
  await Promise.all(
    followers.map((follower) => tx.objectStore('outbox').put(seal(repointed(follower, instead)))),
  )
}

/** Only for a body that was never sent under its key, since one key never carries two bodies. */
export function repointed(entry: Entry, depends_on: string | null): Entry {
  if (depends_on === entry.depends_on) return entry
  const rename = (body: Record<string, unknown>) =>
    body['loan_key'] === entry.depends_on ? { ...body, loan_key: depends_on } : body
  return {
    ...entry,
    depends_on,
    body: rename(entry.body),
    frozen_body: JSON.stringify(rename(JSON.parse(entry.frozen_body) as Record<string, unknown>)),
  }
}
