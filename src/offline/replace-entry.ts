import type { DeviceTransaction } from './device-store.ts'
import type { Decision, Entry } from './entry.ts'
import { unsettledEntries } from './outbox-store.ts'
import type { Sealing } from './seal.ts'
import { withoutNames } from './without-names.ts'

// How one entry gives way to another. All of it is done inside the caller's transaction.

/** An entry as a named person's decision leaves it: what takes its place carries the names on. */
export const dropped = (entry: Entry, decision: Decision): Entry => ({
  ...withoutNames(entry),
  state: 'set_aside',
  settled_at: decision.at,
  decision,
})

type Writing = Pick<DeviceTransaction<('outbox' | 'meta')[], 'readwrite'>, 'objectStore'>

/** What followed from one loan and was never sent follows another instead. */
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

/** The same action, following another entry; a return names the loan by that key. Only where its own key was never sent, or is new. */
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
