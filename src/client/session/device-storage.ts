import { watchOutbox } from '../../offline/outbox-news.ts'

/** Bytes, null when the browser does not tell. `isKept`: it promised not to clear them by itself. */
export type StorageFacts = { isKept: boolean; canAsk: boolean; usage: number | null; quota: number | null }

// Absent outside HTTPS and from older browsers.
const storage = (): StorageManager | undefined => (navigator as { storage?: StorageManager }).storage

export async function readStorage(): Promise<StorageFacts> {
  const manager = storage()
  const isKept = (await manager?.persisted?.().catch(() => false)) ?? false
  const estimate = await manager?.estimate?.().catch(() => null)
  return {
    isKept,
    canAsk: typeof manager?.persist === 'function',
    usage: estimate?.usage ?? null,
    quota: estimate?.quota ?? null,
  }
}

/** Some browsers ask the person, others decide by themselves. */
export const askToKeepStorage = async (): Promise<boolean> =>
  (await storage()
    ?.persist?.()
    .catch(() => false)) ?? false

let wasAsked = false

/** Asks once a page, when the device first holds an action. Returns the function that stops it. */
export const keepStorageOnceUsed = (): (() => void) =>
  watchOutbox(({ ids }) => {
    if (wasAsked || ids.length === 0) return
    wasAsked = true
    void askToKeepStorage()
  })
