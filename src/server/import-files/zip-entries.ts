import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'

import { decoded } from './charsets.ts'
import type { FileBytes } from './file-bytes.ts'
import { bounds, ImportFileRefusal } from './import-file.ts'

// APPNOTE.TXT 6.3: the central directory, then each entry's own header before its bytes.
const longestTrailer = 65_557

/** What a zip may be, in bytes, and how it is called where it is refused. */
type ZipRules = {
  what: string
  size: number
  tooLarge: string
  entries: number
  directory: number
  inflated: number
}

const workbookRules: ZipRules = {
  what: 'Ce classeur',
  size: bounds.workbook,
  tooLarge: `Ce classeur dépasse ${bounds.workbook / 1_000_000}\u202fMo\u202f: enregistrez-le au format CSV, ou en plusieurs.`,
  entries: 5000,
  directory: 4_000_000,
  inflated: bounds.inflated,
}

/** No text of a workbook shrinks that much; below so many bytes nobody is harmed. */
const mostRatio = 300
const harmless = 20_000_000

type Entry = { name: string; method: number; packed: number; offset: number; isLocked: boolean }

export type Archive = {
  readonly names: ReadonlySet<string>
  /** Text of an entry in pieces, as fast as they are asked for; `most` bytes once inflated. */
  text(name: string, most?: number): AsyncGenerator<string, void, undefined>
}

type WholeArchive = Archive & {
  bytes(name: string, most?: number): AsyncGenerator<Uint8Array, void, undefined>
}

const damaged = ({ what }: ZipRules) =>
  new ImportFileRefusal(`${what} est abîmé\u202f: son contenu ne peut pas être lu.`)
const bomb = ({ what }: ZipRules) =>
  new ImportFileRefusal(`${what} grossit beaucoup trop une fois décompressé\u202f: il n’est pas lu.`)

/** The entries of a zip; what they inflate to is counted while they are read, because what they say of it may be wrong. */
export async function openArchive(file: FileBytes, rules: ZipRules = workbookRules): Promise<WholeArchive> {
  if (file.size > rules.size) throw new ImportFileRefusal(rules.tooLarge)
  const entries = await readDirectory(file, rules)
  async function* bytes(name: string, most = rules.inflated) {
    const entry = entries.get(name)
    if (!entry) throw damaged(rules)
    yield* inflated(file, entry, { most, rules })
  }
  return {
    names: new Set(entries.keys()),
    bytes,
    text: (name, most) => decoded(bytes(name, most), 'utf-8'),
  }
}

const unsaid = 0xffffffff

async function readDirectory(file: FileBytes, rules: ZipRules): Promise<Map<string, Entry>> {
  const { count, size, start } = await findDirectory(file, rules)
  if (count > rules.entries || size > rules.directory || start + size > file.size) throw damaged(rules)
  const directory = Buffer.from(await file.at(start, size))
  const entries = new Map<string, Entry>()
  let said = 0
  for (let at = 0; at + 46 <= directory.length && entries.size < count;) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw damaged(rules)
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place))
    const next = at + 46 + nameLength! + extra! + comment!
    if (next > directory.length) throw damaged(rules)
    const unpacked = directory.readUInt32LE(at + 24)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength!)
    const wide = wideSizes(directory, at, directory.subarray(at + 46 + nameLength!, next - comment!))
    // Of sizes that are unsaid these say nothing: they are counted all the same.
    if (unpacked !== unsaid) said += unpacked
    if (said > rules.inflated) throw bomb(rules)
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      ...wide,
      isLocked: (directory.readUInt16LE(at + 8) & 1) === 1,
    })
    at = next
  }
  return entries
}

/** Where the central directory lies, by the end of the file or, where that has no room for it, by what stands before it. */
async function findDirectory(file: FileBytes, rules: ZipRules) {
  const from = Math.max(0, file.size - longestTrailer)
  const trailer = Buffer.from(await file.at(from, longestTrailer))
  const end = trailer.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end < 0 || end + 22 > trailer.length) throw damaged(rules)
  const said = {
    count: trailer.readUInt16LE(end + 10),
    size: trailer.readUInt32LE(end + 12),
    start: trailer.readUInt32LE(end + 16),
  }
  const locator = end - 20
  const isWide = locator >= 0 && trailer.readUInt32LE(locator) === 0x07064b50
  if (!isWide) return said
  const wide = Buffer.from(await file.at(Number(trailer.readBigUInt64LE(locator + 8)), 56))
  if (wide.length < 56 || wide.readUInt32LE(0) !== 0x06064b50) throw damaged(rules)
  const [count, size, start] = [32, 40, 48].map((place) => Number(wide.readBigUInt64LE(place)))
  return { count: count!, size: size!, start: start! }
}

/** The packed size and the place of an entry, from its ZIP64 field where its own are too small for them. */
function wideSizes(directory: Buffer, at: number, extra: Buffer): Pick<Entry, 'packed' | 'offset'> {
  let packed = directory.readUInt32LE(at + 20)
  let offset = directory.readUInt32LE(at + 42)
  for (let field = 0; field + 4 <= extra.length;) {
    const length = extra.readUInt16LE(field + 2)
    const end = Math.min(extra.length, field + 4 + length)
    if (extra.readUInt16LE(field) === 1) {
      let place = field + 4
      const next = (is: number) => {
        if (is !== unsaid || place + 8 > end) return is
        place += 8
        return Number(extra.readBigUInt64LE(place - 8))
      }
      next(directory.readUInt32LE(at + 24))
      packed = next(packed)
      offset = next(offset)
    }
    field += 4 + length
  }
  return { packed, offset }
}

type Reading = { most: number; rules: ZipRules }

async function* inflated(
  file: FileBytes,
  entry: Entry,
  { most, rules }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.isLocked) {
    throw new ImportFileRefusal(
      `${rules.what} est protégé par un mot de passe\u202f: enregistrez-le sans mot de passe.`,
    )
  }
  const header = Buffer.from(await file.at(entry.offset, 30))
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw damaged(rules)
  const from = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const to = Math.min(file.size, from + entry.packed)
  if (entry.method === 0) yield* counted(file.pieces(from, to), entry, { most, rules })
  else if (entry.method === 8) {
    yield* counted(inflate(file.pieces(from, to), rules), entry, { most, rules })
  } else throw damaged(rules)
}

async function* inflate(
  packed: AsyncIterable<Uint8Array>,
  rules: ZipRules,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflating = createInflateRaw()
  const fed = pipeline(Readable.from(packed, { highWaterMark: 1 }), inflating)
  // Told by the loop below.
  fed.catch(() => undefined)
  try {
    for await (const piece of inflating as AsyncIterable<Buffer>) yield piece
  } catch (error) {
    throw isZlibError(error) ? damaged(rules) : error
  }
}

const isZlibError = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:Z_|ERR_STREAM_PREMATURE_CLOSE)/.test(String(error.code))

async function* counted(pieces: AsyncIterable<Uint8Array>, { packed }: Entry, { most, rules }: Reading) {
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most || (size > harmless && size > packed * mostRatio)) throw bomb(rules)
    yield piece
  }
}
