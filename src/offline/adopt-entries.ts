import { type Entry, personOf, senderOf } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { rearrange, unsettledEntries } from './outbox-store.ts'
import { transactSealing } from './seal.ts'
import { isLost, isToConfirm } from './unproven.ts'

type Adopter = { environment_id: number; user_id: number; username: string }

/** Gives the unsettled entries of `from` (`senderOf`) to whoever takes them over; answers how many. */
export async function adoptEntries(from: string, adopter: Adopter, now = new Date()): Promise<number> {
  const { user_id, username } = adopter
  const adopted_by = { user_id, username, at: now.toISOString() }
  const taken = await transactSealing(async (tx, { seal }) => {
    const theirs = (await unsettledEntries(tx)).filter(
      (entry) => entry.environment_id === adopter.environment_id && senderOf(entry) === from,
    )
    await Promise.all(
      theirs.map((entry) => tx.objectStore('outbox').put(seal(handedOver(entry, adopted_by)))),
    )
    await rearrange(tx)
    return theirs.map(({ id }) => id)
  })
  if (taken.length > 0) tellOutbox({ ids: taken, to_send: true })
  return taken.length
}

/** Whoever gets their own action back sends it under their own name alone. */
function handedOver(entry: Entry, adopted_by: NonNullable<Entry['adopted_by']>): Entry {
  const own = personOf(entry) === personOf({ ...entry, user_id: adopted_by.user_id })
  // What the server lost may have been done anew by hand since, so whoever takes it over reads it first.
  const mayWorkNow =
    entry.state === 'conflict' && (entry.problem?.code === 403 || (isToConfirm(entry) && !isLost(entry)))
  return {
    ...entry,
    adopted_by: own ? null : adopted_by,
    next_try: 0,
    ...(mayWorkNow || entry.state === 'sending' ? { state: 'queued', problem: null } : {}),
  }
}
