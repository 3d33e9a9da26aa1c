import { fileTooLarge, largestFile, shortFileName } from '../domain/upload-rules.ts'

type Readable = Pick<File, 'name' | 'size' | 'text'>

/** A file of which a queue is read: its text, or why there is none, in a sentence that names it. */
export type QueueFile = { name: string } & ({ text: string } | { text: null; problem: string })

/** A queue is far smaller than the largest file: one that is not is not read. */
export const isTooLarge = ({ size }: Pick<File, 'size'>): boolean => size > largestFile

/** Reads a file, chosen on the screen or handed over by the system. */
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
