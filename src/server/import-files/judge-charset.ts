import { cut } from './cell-text.ts'
import { decode, decoded } from './charsets.ts'
import type { FileBytes } from './file-bytes.ts'
import { type Charset, charsets, type FileCharset, type FoundCharset } from './import-file.ts'

const mostLines = 2000
/** A longer line is judged in pieces. */
const longestLine = 400
const longestSample = 120
const tellingSample = 24

/** Of so many right signs one wrong byte is an accident, and not another charset. */
const signsToAFault = 20

/** Signs of UTF-8 and faults; how many notices or lines with accents have no fault, and how many have one. */
type Seen = { valid: number; invalid: number; whole: number; faulty: number; lines: Uint8Array[] }

/** Goes through the whole file once; a record's own word for its charset is not asked. */
export async function judgeCharset(
  file: FileBytes,
  { chosen, mark }: { chosen: Charset | undefined; mark: FileCharset | null },
): Promise<FoundCharset> {
  if (mark === 'utf-16le' || mark === 'utf-16be') {
    return { name: mark, how: 'mark', samples: { [mark]: await samplesOfWide(file, mark) } }
  }
  const seen = await lookThrough(file)
  const samples = samplesOf(seen.lines)
  if (chosen) return { name: chosen, how: 'chosen', samples }
  if (mark === 'utf-8') return { name: 'utf-8', how: 'mark', samples }
  if (seen.valid === 0 && seen.invalid === 0) return { name: 'utf-8', how: 'plain', samples }
  // By chance no accents of another charset are UTF-8 throughout a line.
  if (seen.invalid * signsToAFault <= seen.valid || seen.whole > seen.faulty)
    return { name: 'utf-8', how: 'valid', samples }
  return { name: likeliest(seen.lines), how: 'bytes', samples }
}

/** Counts signs of UTF-8 and bytes that are none, and keeps lines that have bytes beyond ASCII. */
async function lookThrough(file: FileBytes): Promise<Seen> {
  const utf8 = { valid: 0, invalid: 0, missing: 0, least: 0x80, most: 0xbf }
  let [whole, faulty, valid, invalid] = [0, 0, 0, 0]
  const endUnit = () => {
    if (utf8.invalid > invalid) faulty += 1
    else if (utf8.valid > valid) whole += 1
    valid = utf8.valid
    invalid = utf8.invalid
  }
  const lines: Uint8Array[] = []
  let begun = Buffer.alloc(0)
  for await (const piece of file.pieces()) {
    for (const byte of piece) {
      if (byte >= 0x80 || utf8.missing > 0) countByte(utf8, byte)
      if (endsUnit(byte)) endUnit()
    }
    if (lines.length < mostLines) begun = takeLines(Buffer.concat([begun, piece]), lines)
  }
  if (utf8.missing > 0) utf8.invalid += 1
  endUnit()
  takeLines(Buffer.concat([begun, Buffer.from('\n')]), lines)
  return { valid: utf8.valid, invalid: utf8.invalid, whole, faulty, lines }
}

/** A notice, an element of XML or a line. */
const endsUnit = (byte: number) => byte === 0x1d || byte === 0x3e || byte === 10 || byte === 13

type Utf8 = { valid: number; invalid: number; missing: number; least: number; most: number }

/** By RFC 3629: neither overlong forms nor surrogates nor what lies beyond Unicode. */
function countByte(utf8: Utf8, byte: number): void {
  const isNext = utf8.missing > 0 && byte >= utf8.least && byte <= utf8.most
  if (utf8.missing > 0 && !isNext) utf8.invalid += 1
  utf8.least = 0x80
  utf8.most = 0xbf
  if (isNext) {
    utf8.missing -= 1
    if (utf8.missing === 0) utf8.valid += 1
    return
  }
  utf8.missing = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
  if (byte >= 0x80 && utf8.missing === 0) utf8.invalid += 1
  if (byte === 0xe0) utf8.least = 0xa0
  if (byte === 0xed) utf8.most = 0x9f
  if (byte === 0xf0) utf8.least = 0x90
  if (byte === 0xf4) utf8.most = 0x8f
}

/** Adds the lines that have an accent, and gives back what the piece's end cuts. */
function takeLines(bytes: Buffer<ArrayBuffer>, lines: Uint8Array[]): Buffer<ArrayBuffer> {
  let from = 0
  let isHigh = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte >= 0x80) isHigh = true
    // Line ends, and what ends fields, subfields and notices.
    const isEnd = byte === 10 || byte === 13 || (byte >= 0x1d && byte <= 0x1f)
    const isLong = at - from >= longestLine && (byte < 0x80 || at - from >= longestLine * 2)
    if (!isEnd && !isLong) continue
    // The sign of a subfield begins its line, with the letter that says which.
    const text = bytes[from] === 0x1f ? from + 2 : from
    // A copy: the piece that it lies in would be kept with it.
    if (isHigh && lines.length < mostLines) lines.push(Uint8Array.from(bytes.subarray(text, at)))
    from = byte === 0x1f ? at : at + 1
    isHigh = false
  }
  return Buffer.from(bytes.subarray(from))
}

const likeliest = (lines: readonly Uint8Array[]): Charset => {
  const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
  const others = charsets.filter((charset) => charset !== 'utf-8')
  const scores = others.map((charset) => plausibility(decode(bytes, charset)))
  return others[scores.indexOf(Math.max(...scores))] ?? 'windows-1252'
}

const points = new Map<string, number>([
  ...Array.from('é', (sign) => [sign, 6] as const),
  ...Array.from('èàçêîôûùâïëœ', (sign) => [sign, 4] as const),
  ...Array.from('ÉÈÀÇ', (sign) => [sign, 3] as const),
  ...Array.from('ÊËÎÏÔÙÛŒäöüßñáíóú', (sign) => [sign, 2] as const),
  // A circumflex on A is what the acute of ISO 5426 looks like.
  ...Array.from('Â«»’°–—…€“”‘', (sign) => [sign, 1] as const),
  ['\u00a0', 0],
  ['\ufffd', -10],
])

/** Higher for what French and its neighbours write: their letters, and capitals where capitals stand. */
function plausibility(text: string): number {
  let score = 0
  for (const found of text.matchAll(/[^\0-\u007f]/gu)) {
    const sign = found[0]
    const before = text[found.index - 1] ?? ''
    const after = text[found.index + sign.length] ?? ''
    const isLetter = /\p{Script=Latin}/u.test(sign)
    score += points.get(sign) ?? (isLetter ? 0.5 : -2)
    if (isMisplaced(sign, before, after)) score -= 4
    if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(sign)) score -= 5
    if (/\p{Lu}/u.test(before) && /\p{Ll}/u.test(sign) && /\p{Lu}/u.test(after)) score -= 5
    if (!isLetter && sign !== '’' && /\p{L}/u.test(before) && /\p{L}/u.test(after)) score -= 4
  }
  return score
}

/** What Mac Roman makes of DOS, and DOS of Mac Roman: « foràt », « chëteau », « éa » for « Ça ». */
const isMisplaced = (sign: string, before: string, after: string): boolean =>
  (sign === 'à' && /\p{L}/u.test(after)) ||
  (sign === 'é' && after === 'a' && !/\p{L}/u.test(before)) ||
  (sign === 'ê' && !/\p{L}/u.test(after)) ||
  (sign === 'ë' && !/[aeiou]/i.test(before)) ||
  (sign === 'â' && /[aeiou]/i.test(before))

function samplesOf(lines: readonly Uint8Array[]): Partial<Record<Charset, readonly string[]>> {
  const shown = new Map<string, Uint8Array>()
  // A word alone tells less than a sentence, and stands in where there is nothing else.
  for (const least of [tellingSample, 1]) {
    for (const line of lines) {
      if (shown.size === 3) break
      const sample = cutSample(line)
      const text = readable(decode(sample, 'windows-1252'))
      if (text.length >= least && /[^\0-\u007f]/.test(text)) shown.set(text, sample)
    }
  }
  return Object.fromEntries(
    charsets.map((charset) => [
      charset,
      [...shown.values()].map((sample) => readable(decode(sample, charset))),
    ]),
  )
}

/** From a little before the first accent, between two bytes of ASCII, so that no sign is cut. */
function cutSample(line: Uint8Array): Uint8Array {
  const first = line.findIndex((byte) => byte >= 0x80)
  let from = Math.max(0, first - longestSample / 2)
  while (from > 0 && line[from - 1]! !== 32 && from < first) from += 1
  let to = Math.min(line.length, from + longestSample)
  while (to < line.length && to > first + 8 && line[to - 1]! >= 0x80) to -= 1
  return line.subarray(from, to)
}

/** Without the elements of an XML file, nor the sign that says a subfield. */
const readable = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/^[^<>]*>|<[^<>]*$/g, ' ')
    // oxlint-disable-next-line no-control-regex -- control signs are what is looked for
    .replace(/[\s\u0000-\u001f]+/g, ' ')
    .trim()

async function samplesOfWide(file: FileBytes, charset: FileCharset): Promise<string[]> {
  const lines = new Set<string>()
  for await (const text of decoded(file.pieces(0, 1_000_000), charset)) {
    for (const line of text.split(/[\r\n]+/)) {
      if (/[^\0-\u007f]/.test(line)) lines.add(cut(readable(line.slice(0, 2 * longestLine)), longestSample))
      if (lines.size === 3) return [...lines]
    }
  }
  return [...lines]
}
