import { largestFile } from '../domain/upload-rules.ts'
import { type OfferedFile, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { newKey } from './new-key.ts'
import { isTooLarge, readQueueFile } from './read-queue-file.ts'

// A file that the system hands over, shared with the installed application or opened with it, is kept until a signed-in person says
// what becomes of it: nothing of it is imported before. It names readers, and goes with the session (see session-mirror.ts).

/** Where the system hands files over, and under which name in a form (`share_target` and `file_handlers` of the manifest). */
export const offeredAt = '/waiting'
export const offeredField = 'file'

/** Any page may post such files: no more of them are kept, of `largestFile` bytes together. */
const mostFiles = 5
/** Longest name that a file system gives. */
const longestName = 255
/** Whoever signs in later did not ask for it. */
const keptMs = 60 * 60_000

/** Keeps files until they are answered for. */
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
  // What is not to be kept is not read either.
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

/** What was handed over within the hour and is not answered for, oldest first. */
export const offeredFiles = (now = Date.now()): Promise<OfferedFile[]> => change((files) => files, now)

/** Its question was answered, or there is nothing to ask. */
export async function forgetOfferedFile(id: string, now = Date.now()): Promise<void> {
  await change((files) => files.filter((file) => file.id !== id), now)
}

/** What is too old goes, whatever else changes. */
const change = (next: (files: OfferedFile[]) => OfferedFile[], now: number): Promise<OfferedFile[]> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const before = (await readMeta(store, 'offered_files')) ?? []
    const after = next(before.filter(({ at }) => Math.abs(now - at) < keptMs))
    if (after.length > 0) await writeMeta(store, 'offered_files', after)
    else if (before.length > 0) await store.delete('offered_files')
    return after
  })

/** The last ones, as many as may be kept. */
function newest<T extends { bytes: number }>(files: readonly T[]): T[] {
  let bytes = 0
  const isOver = (file: T) => (bytes += file.bytes) > largestFile
  const last = files.slice(-mostFiles)
  return last.slice(last.findLastIndex(isOver) + 1)
}
