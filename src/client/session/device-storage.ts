/** Bytes used and available (null where the browser does not say), and whether it promised not to clear them by itself. */
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

/** Asks the browser to keep the device's data; some ask the person, some decide by themselves. */
export const askToKeepStorage = async (): Promise<boolean> =>
  (await storage()
    ?.persist?.()
    .catch(() => false)) ?? false
