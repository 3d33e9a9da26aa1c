import { type OfferedFile, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'

// A file that the system hands over, shared with the installed application or opened with it, is kept until a signed-in person sees it:
// nothing of it is imported before they say so.

/** Where the system hands files over, and under which name in a form (`share_target` and `file_handlers` of the manifest). */
export const offeredAt = '/waiting'
export const offeredField = 'file'

/** A queue is far smaller: what is not is not read. */
const mostBytes = 16_000_000
/** Whoever signs in later did not ask for it. */
const keptMs = 60 * 60_000

type Readable = Pick<File, 'name' | 'size' | 'text'>

/** Keeps files until they are taken. */
export async function offerFiles(files: readonly Readable[], now = Date.now()): Promise<void> {
  const offered = await Promise.all(
    files.map(async (file) => ({ name: file.name, text: await textOf(file), at: now })),
  )
  await transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const before = (await readMeta(store, 'offered_files')) ?? []
    await writeMeta(store, 'offered_files', [...before, ...offered])
  })
}

/** What was handed over within the hour, once: of two windows, one has it. */
export const takeOfferedFiles = (now = Date.now()): Promise<OfferedFile[]> =>
  transact(['meta'], 'readwrite', async (tx) => {
    const store = tx.objectStore('meta')
    const files = (await readMeta(store, 'offered_files')) ?? []
    if (files.length > 0) await store.delete('offered_files')
    return files.filter(({ at }) => Math.abs(now - at) < keptMs)
  })

const textOf = (file: Readable): Promise<string | null> =>
  file.size > mostBytes
    ? Promise.resolve(null)
    : file.text().then(
        (text) => text,
        () => null,
      )
