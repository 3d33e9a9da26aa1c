import { transact } from './device-store.ts'
import { unsettledStates } from './entry.ts'

export type HeldEntries = {
  waiting: number
  conflicts: number
  quarantined: number
  oldest_at: string | null
}

export const nothingHeld: HeldEntries = { waiting: 0, conflicts: 0, quarantined: 0, oldest_at: null }

/** Only the first of each state are searched for the oldest, so that a long queue is not read in full. */
const lookedAt = 100

export const readHeld = (): Promise<HeldEntries> =>
  transact(['outbox'], 'readonly', async (tx) => {
    const byState = tx.objectStore('outbox').index('state')
    const held = { ...nothingHeld }
    for (const state of unsettledStates) {
      const [count, first] = await Promise.all([byState.count(state), byState.getAll(state, lookedAt)])
      if (state === 'conflict') held.conflicts += count
      else if (state === 'quarantined') held.quarantined += count
      else held.waiting += count
      for (const { occurred_at } of first) {
        if (held.oldest_at === null || occurred_at < held.oldest_at) held.oldest_at = occurred_at
      }
    }
    return held
  })
