import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { OpenedFile } from '../../contract/imports.ts'
import type { CopyFrame } from '../../domain/copy-frames.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { partedTitle } from '../../domain/unimarc.ts'
import { frameOf, isLentAs, unimarcCopies } from '../../domain/unimarc-copies.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { cut } from '../import-files/cell-text.ts'
import { type ImportFileOptions, ImportFileRefusal, type ImportRow } from '../import-files/import-file.ts'
import { openImportFile } from '../import-files/open-import-file.ts'
import { writeRows } from './rows-file.ts'

const mostShown = 50

/** Looks at notices as they pass: how their titles are written, whose fields their copies seem to be, and what these say of lending. */
function judgeNotices() {
  const titles = { all: 0, isbd: 0 }
  let frame: CopyFrame = '995'
  let isAny = false
  const said = new Map<string, { count: number; is_lent: boolean }>()
  async function* watch(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow> {
    for await (const row of rows) {
      if (row.type === 'notice') {
        for (const field of row.fields.filter(({ tag }) => tag === '200')) {
          titles.all += 1
          if (partedTitle(field) !== field) titles.isbd += 1
        }
        const found = frameOf(row.fields)
        if (found !== null && frame !== 'pmb') frame = found
        // In the frame that tells the most: what 996 says is there in no other.
        for (const { circulation, is_lent } of unimarcCopies(row.fields, 'pmb')) {
          isAny = true
          if (circulation === undefined) continue
          const code = cut(circulation, 100)
          said.set(code, { count: (said.get(code)?.count ?? 0) + 1, is_lent })
        }
      }
      yield row
    }
  }
  const copies = (): OpenedFile['copies'] =>
    isAny
      ? {
          frame,
          circulation: [...said]
            .map(([code, { count, is_lent }]) => ({
              code,
              count,
              is_lent: frame === 'pmb' ? is_lent : isLentAs(code, frame),
            }))
            .toSorted((one, other) => other.count - one.count)
            .slice(0, mostShown),
        }
      : undefined
  const judged = (): Pick<OpenedFile, 'isbd' | 'copies'> => {
    const found = copies()
    return {
      ...(titles.all > 0 ? { isbd: titles.isbd * 2 >= titles.all } : {}),
      ...(found ? { copies: found } : {}),
    }
  }
  return { watch, judged }
}

/** A file and its rows, in a directory of their own among the environment's files. */
export type KeptFile = {
  place: string
  rows_file: string
  opened: OpenedFile
  /** In bytes. */
  size: number
  rows: number
  damaged: number
}

const placesOf = (files: string) => join(files, 'imports')
const pathOf = (files: string, { place }: Pick<KeptFile, 'place'>) => join(placesOf(files), place, 'file')
export const rowsPathOf = (files: string, { place, rows_file }: Pick<KeptFile, 'place' | 'rows_file'>) =>
  join(placesOf(files), place, rows_file)

/** Keeps a received file and reads all of its rows; a refusal is one of the field `file`. */
export async function keepFile(
  files: string,
  received: { path: string; name: string },
): Promise<Outcome<KeptFile>> {
  const place = randomUUID()
  await mkdir(join(placesOf(files), place), { recursive: true, mode: 0o700 })
  let isKept = false
  try {
    await copyFile(received.path, pathOf(files, { place }))
    const read = await readFile(files, place, { name: received.name })
    isKept = read.ok
    return read
  } finally {
    if (!isKept) await forgetPlace(files, place)
  }
}

/** Reads a file that is kept, in another charset or from another sheet; what was read before stays until it is forgotten. */
export async function readFile(
  files: string,
  place: string,
  options: ImportFileOptions,
): Promise<Outcome<KeptFile>> {
  const rows_file = `rows-${randomUUID()}`
  try {
    const file = await openImportFile(pathOf(files, { place }), options)
    const { watch, judged } = judgeNotices()
    const counted = await writeRows(watch(file.rows), rowsPathOf(files, { place, rows_file }))
    const { kind, charset, delimiter, sheets, sheet, has_header, columns } = file
    const opened: OpenedFile = {
      kind,
      charset: charset && {
        name: charset.name,
        how: charset.how,
        samples: Object.fromEntries(
          Object.entries(charset.samples).map(([name, lines]) => [name, [...(lines ?? [])]]),
        ),
      },
      delimiter,
      sheets: [...sheets],
      sheet,
      has_header,
      columns: columns.map(({ index, name, values }) => ({
        index,
        name,
        values: values.slice(0, shownValues),
      })),
      ...judged(),
    }
    return done({ place, rows_file, opened, size: file.size, ...counted })
  } catch (error) {
    await forgetRows(files, { place, rows_file })
    if (!(error instanceof ImportFileRefusal)) throw error
    const where = error.line === null ? '' : `Ligne ${frenchNumber(error.line)}\u202f: `
    return violation('file', `${where}${error.message}`)
  }
}

const shownValues = 5

export const forgetPlace = (files: string, place: string): Promise<void> =>
  rm(join(placesOf(files), place), { recursive: true, force: true })

/**
 * Forgets one reading of a file, and never all but one: of two changes at once, each has read the file before it is known
 * which of them comes last.
 */
export const forgetRows = (files: string, kept: Pick<KeptFile, 'place' | 'rows_file'>): Promise<void> =>
  rm(rowsPathOf(files, kept), { force: true })

/** A change under way keeps its file before it is committed. */
const restMs = 24 * 3600_000

/** Deletes the files of imports that are no longer known, and what was read otherwise of those that are: `known` says their rows by place. */
export async function sweepPlaces(
  files: string,
  known: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const isOld = async (path: string) => {
    const found = await stat(path).catch(unlessGone)
    return found !== null && now.getTime() - found.mtimeMs > restMs
  }
  for (const place of await namesIn(placesOf(files))) {
    const rows = known.get(place)
    if (rows === undefined) {
      if (await isOld(join(placesOf(files), place))) await forgetPlace(files, place)
      continue
    }
    for (const name of await namesIn(join(placesOf(files), place))) {
      if (!name.startsWith('rows-') || name === rows) continue
      const kept = { place, rows_file: name }
      if (await isOld(rowsPathOf(files, kept))) await forgetRows(files, kept)
    }
  }
}

const namesIn = async (directory: string) => (await readdir(directory).catch(unlessGone)) ?? []
