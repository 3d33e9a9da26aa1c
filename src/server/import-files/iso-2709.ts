import { frenchNumber } from '../../domain/french-number.ts'
import { decode } from './charsets.ts'
import { clean } from './cell-text.ts'
import type { FileBytes } from './file-bytes.ts'
import { bounds, type DamagedRow, type FileCharset, type NoticeField, type NoticeRow } from './import-file.ts'

// ISO 2709: a leader of 24 signs, a directory of 12 for each field, then the fields.
const recordEnd = 0x1d
const fieldEnd = 0x1e
const subfieldStart = 0x1f
const leaderLength = 24

/**
 * Whole notices, one after the other. A notice ends where its end sign stands: what its leader and directory say is checked
 * against that, so that a wrong one costs itself alone and the next is read.
 */
export async function* iso2709Rows(
  file: FileBytes,
  charset: FileCharset,
): AsyncGenerator<NoticeRow | DamagedRow, void, undefined> {
  let line = 0
  for await (const { bytes, isTooLong } of records(file)) {
    for (const part of isTooLong ? [bytes] : splitWhereEndIsMissing(bytes)) {
      line += 1
      if (isTooLong) {
        const reason = `La notice compte plus de ${frenchNumber(bounds.notice)} octets\u202f: sa fin manque sans doute.`
        yield { type: 'damaged', line, reason, original: Uint8Array.from(bytes) }
      } else {
        yield readRecord(part, line, charset)
      }
    }
  }
}

type Chunk = { bytes: Uint8Array; isTooLong: boolean }

/** Between two end signs, which they keep; of one that is too long, its beginning alone. */
async function* records(file: FileBytes): AsyncGenerator<Chunk, void, undefined> {
  let parts: Uint8Array[] = []
  let length = 0
  let isTooLong = false
  const take = (): Chunk[] => {
    const bytes = trimStart(Buffer.concat(parts))
    const chunk = {
      bytes: bytes.subarray(0, bounds.notice),
      isTooLong: isTooLong || bytes.length > bounds.notice,
    }
    parts = []
    length = 0
    isTooLong = false
    return isEmpty(bytes) ? [] : [chunk]
  }
  for await (const piece of file.pieces()) {
    let from = 0
    for (let at = piece.indexOf(recordEnd); at >= 0; at = piece.indexOf(recordEnd, from)) {
      if (!isTooLong) parts.push(piece.subarray(from, at + 1))
      yield* take()
      from = at + 1
    }
    if (from === piece.length) continue
    length += piece.length - from
    if (!isTooLong) parts.push(piece.subarray(from))
    // Some room for what stands between two notices.
    if (length > bounds.notice + 1024) isTooLong = true
  }
  yield* take()
}

/** Line ends, spaces, zeros and a mark that some software puts between notices. */
function trimStart(bytes: Uint8Array): Uint8Array {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (from < bytes.length && (bytes[from]! <= 0x1a || bytes[from] === 32)) from += 1
  return bytes.subarray(from)
}

const isEmpty = (bytes: Uint8Array) =>
  bytes.every((byte) => byte <= 32 && byte !== fieldEnd && byte !== subfieldStart)

const leaderForm = /^(\d{5})[ -~]{5}\d\d(\d{5})[ -~]{7}$/

/** Two notices between whose ends one is missing: the second begins where the first one's length ends. */
function splitWhereEndIsMissing(bytes: Uint8Array): Uint8Array[] {
  const said = Number(ascii(bytes, 0, 5))
  if (!Number.isInteger(said) || said <= leaderLength || said >= bytes.length) return [bytes]
  for (const at of [said, said - 1]) {
    if (bytes[at - 1] === fieldEnd && leaderForm.test(ascii(bytes, at, at + leaderLength))) {
      return [bytes.subarray(0, at), ...splitWhereEndIsMissing(bytes.subarray(at))]
    }
  }
  return [bytes]
}

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.max(0, Math.min(to, bytes.length) - from)).toString(
    'latin1',
  )

function readRecord(bytes: Uint8Array, line: number, charset: FileCharset): NoticeRow | DamagedRow {
  // A copy: the piece that it lies in would be kept with it.
  const original = Uint8Array.from(bytes)
  const damaged = (reason: string): DamagedRow => ({ type: 'damaged', line, reason, original })
  const leader = ascii(bytes, 0, leaderLength)
  const [, said, base] = leaderForm.exec(leader) ?? []
  if (said === undefined) return damaged('La notice n’a pas d’en-tête lisible.')
  if (bytes.at(-1) !== recordEnd) {
    return damaged(
      `La notice est coupée\u202f: elle annonce ${frenchNumber(Number(said))} octets, il y en a ${frenchNumber(bytes.length)}.`,
    )
  }
  if (Number(said) !== bytes.length) {
    const isCut = Number(said) > bytes.length && bytes.at(-2) !== fieldEnd
    const cut = isCut ? 'La notice est coupée' : 'La longueur de la notice est fausse'
    return damaged(
      `${cut}\u202f: elle annonce ${frenchNumber(Number(said))} octets, il y en a ${frenchNumber(bytes.length)}.`,
    )
  }
  const fields = readFields(bytes, Number(base), leader, charset)
  if (typeof fields === 'string') return damaged(fields)
  return { type: 'notice', line, leader, fields, original }
}

/** The fields, or the sentence that says why they cannot be read. */
function readFields(
  bytes: Uint8Array,
  base: number,
  leader: string,
  charset: FileCharset,
): NoticeField[] | string {
  const lengthSigns = Number(leader[20]) || 4
  const startSigns = Number(leader[21]) || 5
  const entry = 3 + lengthSigns + startSigns
  const noDirectory = 'Le répertoire de la notice est abîmé\u202f: ses zones ne peuvent pas être retrouvées.'
  if (base <= leaderLength || base >= bytes.length || bytes[base - 1] !== fieldEnd) return noDirectory
  if ((base - 1 - leaderLength) % entry !== 0) return noDirectory
  const fields: NoticeField[] = []
  let told = 0
  for (let at = leaderLength; at < base - 1; at += entry) {
    const tag = ascii(bytes, at, at + 3)
    const length = wholeNumber(bytes, at + 3, lengthSigns)
    const start = wholeNumber(bytes, at + 3 + lengthSigns, startSigns)
    if (!/^[0-9A-Za-z]{3}$/.test(tag) || length < 1 || start < 0) return noDirectory
    // Entries that name the same bytes would make thousands of fields of each.
    told += length
    if (told > bytes.length) return noDirectory
    const from = base + start
    const to = from + length - 1
    if (to < from || to >= bytes.length - 1 || bytes[to] !== fieldEnd) return noDirectory
    const content = bytes.subarray(from, to)
    if (content.includes(fieldEnd)) return noDirectory
    const field = readField(tag, content, charset)
    if (isUnreadable(field))
      return `La zone ${tag} a des signes qui ne sont pas lisibles dans ce jeu de caractères.`
    fields.push(field)
  }
  return fields.length === 0 ? 'La notice n’a aucune zone.' : fields
}

/** Of so many digits; -1 where they are none. */
function wholeNumber(bytes: Uint8Array, from: number, digits: number): number {
  let number = 0
  for (let at = from; at < from + digits; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

function readField(tag: string, content: Uint8Array, charset: FileCharset): NoticeField {
  const first = content.indexOf(subfieldStart)
  if (first < 0) return { tag, indicators: '', value: clean(decode(content, charset)), subfields: [] }
  const subfields: NoticeField['subfields'][number][] = []
  for (let at = first; at >= 0;) {
    const next = content.indexOf(subfieldStart, at + 1)
    const text = content.subarray(at + 1, next < 0 ? content.length : next)
    if (text.length > 0) {
      subfields.push({ code: ascii(text, 0, 1), value: clean(decode(text.subarray(1), charset)) })
    }
    at = next
  }
  return { tag, indicators: ascii(content, 0, Math.min(first, 2)), value: '', subfields }
}

export const isUnreadable = ({ value, subfields }: NoticeField) =>
  /[\0\ufffd]/.test(value) || subfields.some((part) => /[\0\ufffd]/.test(part.value))
