import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { coverFile, coverSides } from '../files/cover-files.ts'
import { drawPicture, keepPicture, newPictureName, pathOfPicture } from '../files/drawn-picture.ts'
import { conditionsFile, imageName } from './archive-tables.ts'
import { ArchiveRefusal, type OpenedArchive } from './opened-archive.ts'

const largestPicture = 5_000_000
const largestDocument = 20_000_000

/** Files that were written, to be taken away again if the rest cannot be. */
export type Written = { paths: string[]; forget(): Promise<void> }

export const nothingWritten = (): Written => {
  const paths: string[] = []
  return {
    paths,
    async forget() {
      for (const path of paths) await rm(path, { force: true })
    },
  }
}

/** Keeps the images and answers their versions by reference: the large one as it is, the small one drawn from it. */
export async function readImages(
  archive: OpenedArchive,
  { files, known, written }: { files: string; known: ReadonlySet<number>; written: Written },
): Promise<{ reference: number; version: string }[]> {
  const kept: { reference: number; version: string }[] = []
  for (const file of archive.names) {
    const reference = Number(imageName.exec(file)?.[1])
    if (Number.isNaN(reference)) continue
    if (!known.has(reference)) throw new ArchiveRefusal(`${file} n’est l’image d’aucune référence.`)
    const picture = await archive.whole(file, largestPicture)
    const isWebP = picture.subarray(8, 12).toString('latin1') === 'WEBP'
    const drawn = isWebP
      ? await drawPicture(picture, [coverSides.small], { most: coverSides.large ** 2 })
      : null
    if (!drawn) throw new ArchiveRefusal(`${file} n’est pas une image WebP de la bonne taille.`)
    const version = newPictureName()
    const place = coverFile(reference, version)
    for (const side of Object.values(coverSides)) {
      written.paths.push(join(files, pathOfPicture(place.directory, place.name, side)))
    }
    await keepPicture(new Map([...drawn, [coverSides.large, picture]]), files, place)
    kept.push({ reference, version })
  }
  return kept
}

/** Keeps the conditions of loans, each under its own hash. */
export async function readConditions(
  archive: OpenedArchive,
  { files, written }: { files: string; written: Written },
): Promise<void> {
  for (const file of archive.names) {
    if (!conditionsFile.test(file)) continue
    const document = await archive.whole(file, largestDocument)
    const hash = createHash('sha256').update(document).digest('hex').slice(0, 32)
    if (!document.subarray(0, 1024).includes('%PDF-') || file !== `conditions/${hash}.pdf`) {
      throw new ArchiveRefusal(`${file} n’est pas le document que son nom annonce.`)
    }
    const path = join(files, file)
    await mkdir(dirname(path), { recursive: true })
    const isNew = await writeFile(path, document, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isNew) written.paths.push(path)
  }
}
