import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import type { ReceivedFile } from '../http/receive-file.ts'

/** More pixels are a trap, not a photograph. */
const mostPixels = 50_000_000
const pictureFormats = ['png', 'jpeg', 'webp']

/** Redraws a picture within `side` × `side` pixels, without the rest of its file; returns its path. */
export async function keepPicture(
  { path, name }: ReceivedFile,
  files: string,
  { directory, side }: { directory: string; side: number },
): Promise<Outcome<string>> {
  const bytes = await redrawn(path, side)
  if (!bytes) return violation('file', `«\u00a0${shortFileName(name)}\u00a0» ${invalidFile}`)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const kept = `${directory}/${hash}.webp`
  await mkdir(join(files, directory), { recursive: true })
  // The same picture sent twice at once is written twice, each time under a name of its own.
  const partial = join(files, `${kept}.${randomUUID()}.part`)
  await writeFile(partial, bytes)
  await rename(partial, join(files, kept))
  return done(kept)
}

async function redrawn(path: string, side: number): Promise<Buffer | null> {
  // The first picture loads it, so that a server starts faster.
  const { default: sharp } = await import('sharp')
  const picture = sharp(path, { limitInputPixels: mostPixels, failOn: 'error' })
  try {
    const { format } = await picture.metadata()
    if (!pictureFormats.includes(format)) return null
    return await picture
      .rotate()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90 })
      .toBuffer()
  } catch {
    return null
  }
}
