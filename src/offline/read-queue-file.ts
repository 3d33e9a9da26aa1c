import { fileTooLarge, largestFile, shortFileName } from '../domain/upload-rules.ts'

type Readable = Pick<File, 'name' | 'size' | 'text'>

/** A file's text, or the sentence that says why it was not read. */
export type QueueFile = { name: string } & ({ text: string } | { text: null; problem: string })

export const isTooLarge = ({ size }: Pick<File, 'size'>): boolean => size > largestFile

export async function readQueueFile(file: Readable): Promise<QueueFile> {
  const { name } = file
  const without = (words: string) => ({
    name,
    text: null,
    problem: `«\u00a0${shortFileName(name)}\u00a0» ${words}`,
  })
  if (isTooLarge(file)) return without(fileTooLarge)
  return file.text().then(
    (text) => ({ name, text }),
    () => without('n’a pas pu être lu.'),
  )
}
