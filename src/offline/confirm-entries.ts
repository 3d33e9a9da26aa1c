import { personOf, senderOf } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange } from './outbox-store.ts'
import { transactSealing } from './seal.ts'
import { isToConfirm } from './unproven.ts'

/** Seals these actions again once their owner says that they are theirs; answers how many. */
export async function confirmEntries(
  ids: readonly string[],
  person: { environment_id: number; user_id: number },
): Promise<number> {
  const confirmed = await transactSealing(async (tx, { seal }) => {
    const store = tx.objectStore('outbox')
    const taken: string[] = []
    for (const id of ids) {
      const entry = await findEntry(tx, id)
      if (!entry || !isToConfirm(entry) || senderOf(entry) !== personOf(person)) continue
      await store.put(seal({ ...entry, state: 'queued', problem: null, next_try: 0 }))
      taken.push(id)
    }
    await rearrange(tx)
    return taken
  })
  if (confirmed.length > 0) tellOutbox({ ids: confirmed, to_send: true })
  return confirmed.length
}
