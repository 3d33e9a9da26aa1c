import { nameOf, StoreOutdatedError } from './device-store.ts'
import { dropKeptImages } from './drop-kept-images.ts'

export type WriteFailure = 'quota' | 'outdated' | 'failed'

export function failureOf(error: unknown): WriteFailure {
  if (error instanceof StoreOutdatedError) return 'outdated'
  return nameOf(error) === 'QuotaExceededError' ? 'quota' : 'failed'
}

/** Images on a full device give their room to what must not be lost. */
export async function writeMakingRoom<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (nameOf(error) !== 'QuotaExceededError') throw error
    await dropKeptImages()
    return write()
  }
}
