import { largestFile } from '../domain/upload-rules.ts'
import { type OfferedFile, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { newKey } from './new-key.ts'
import { isTooLarge, readQueueFile } from './read-queue-file.ts'

// Offered files wait for a signed-in person's decision; they name readers, so they leave with the session.

/** As `share_target` and `file_handlers` of the manifest say. */
export const offeredAt = '/waiting'
export const offeredField = 'file'

/** Any page may post files here, so few are kept, of `largestFile` bytes together. */
const mostFiles = 5
const longestName = 255
/** After an hour somebody else may be signed in. */
const keptMs = 60 * 60_000

export async function offerFiles(
  files: readonly Pick<File, 'name' | 'size' | 'text'>[],
  now = Date.now(),
): Promise<void> {
  const named = files.map((file) => ({
    name: file.name.slice(-longestName),
    size: file.size,
    bytes: isTooLarge(file) ? 0 : file.size,
    text: () => file.text(),
  }))
  const offered = await Promise.all(
    newest(named).map(async (file) => ({
      ...(await readQueueFile(file)),
      id: newKey(),
      bytes: file.bytes,
      at: now,
    })),
  )
  await change((before) => newest([...before, ...offered]), now)
}

export const offeredFiles = (now = Date.now()): Promise<OfferedFile[]> => change((files) => files, now)

export async function forgetOfferedFile(id: string, now = Date.now()): Promise<void> {
  await change((files) => files.filter((file) => file.id !== id), now)
}

const change = (next: (files: OfferedFile[]) => OfferedFile[], now: number): Promise<OfferedFile[]> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const before = (await readMeta(store, 'offered_files')) ?? []
    const after = next(before.filter(({ at }) => Math.abs(now - at) < keptMs))
    if (after.length > 0) await writeMeta(store, 'offered_files', after)
    else if (before.length > 0) await store.delete('offered_files')
    return after
  })

function newest<T extends { bytes: number }>(files: readonly T[]): T[] {
  let bytes = 0
  const isOver = (file: T) => (bytes += file.bytes) > largestFile
  const last = files.slice(-mostFiles)
  return last.slice(last.findLastIndex(isOver) + 1)
}
