import { readFile, writeFile } from 'node:fs/promises'

import { openZip } from '../../src/server/data-export/zip-writer.ts'
import { bytesOnDisk } from '../../src/server/import-files/file-bytes.ts'
import { openArchive } from '../../src/server/import-files/zip-entries.ts'

const rules = {
  what: 'Cette archive',
  size: 1e9,
  tooLarge: '',
  entries: 100_000,
  directory: 1e8,
  inflated: 1e9,
}

/** Every entry of a zip, by name. */
export async function entriesOf(path: string): Promise<Map<string, Buffer>> {
  const archive = await openArchive(await bytesOnDisk(path), rules)
  const entries = new Map<string, Buffer>()
  for (const name of archive.names) {
    const pieces: Uint8Array[] = []
    for await (const piece of archive.bytes(name)) pieces.push(piece)
    entries.set(name, Buffer.concat(pieces))
  }
  return entries
}

/** Writes a zip of these entries. */
export async function zipOf(path: string, entries: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const zip = openZip(path)
  for (const [name, bytes] of entries) {
    await zip.add(
      name,
      (async function* () {
        yield await Promise.resolve(bytes)
      })(),
    )
  }
  await zip.close()
  return path
}

/** The same file without its last bytes. */
export async function cutShort(path: string, to: string): Promise<string> {
  const bytes = await readFile(path)
  await writeFile(to, bytes.subarray(0, bytes.length * 0.6))
  return to
}
