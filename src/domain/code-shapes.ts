import { undoAzerty } from './azerty.ts'
import { findIsbn13, hasEanCheckDigit, isLibraryNumber, wholeScan, writtenForms } from './bar-code.ts'

// What a library's codes look like, learnt from those it has given: a scan is joined, split or cut by it.

/** A label on a copy, or the card of a reader or a relative. */
export type CodeKind = 'copy' | 'beneficiary'

/** The codes of one kind and one mask: « BIB-000123 » has the mask « AAA-000000 ». */
export interface CodeShape {
  kind: CodeKind
  mask: string
  count: number
  /** What they begin with, all of one length: often a site, or a reader's card and a copy's label. */
  prefixes: string[]
  /** Whether every one has the check digit of a library number, of an EAN. */
  isLibraryNumber: boolean
  isEan: boolean
}

export interface CodeShapes {
  /** Whether the text, however its scanner wrote it, looks like a code of this library or is an ISBN. */
  fits(text: string): boolean
  /** The same of many codes that agree, or of an ISBN: then it is whole. */
  proves(text: string): boolean
  /** Whether a longer code may begin with the text. */
  mayGoOn(text: string): boolean
  /** Codes scanned in one breath, or null where it is one or cannot be told. */
  split(text: string): string[] | null
  /** What a code is by its looks, or null where both or neither look like it. */
  kindOf(text: string): CodeKind | null
  /** The same without its check digit: of a label that was misread, or of another library with the same prefix. */
  resembles(text: string): CodeKind | null
  /** Of the codes that are figures alone. */
  figureLengths: ReadonlySet<number>
}

/** More prefixes than these tell nothing: then they are cut by one sign. */
const mostPrefixes = 6
const longestPrefix = 5
/** Of copies and of cards: a library writes few masks of each; what people wrote by hand would fill the table. */
const mostShapes = 40

/** So many codes agree by more than chance. */
const enoughForPrefix = 20
const enoughForCheckDigit = 8

const maskOf = (code: string): string => code.replace(/\d/g, '0').replace(/\p{L}/gu, 'A')

/** Changes `shapes`. */
export function learnCode(shapes: CodeShape[], written: string, kind: CodeKind): void {
  const code = written.toUpperCase()
  const mask = maskOf(code)
  const ofKind = shapes.filter((shape) => shape.kind === kind)
  const known = ofKind.find((shape) => shape.mask === mask)
  if (!known && ofKind.length >= mostShapes) return
  const shape = known ?? { kind, mask, count: 0, prefixes: [], isLibraryNumber: true, isEan: true }
  if (!known) shapes.push(shape)
  shape.count += 1
  shape.isLibraryNumber &&= isLibraryNumber(code)
  shape.isEan &&= hasEanCheckDigit(code)
  const length = shape.prefixes[0]?.length ?? Math.min(longestPrefix, code.length)
  shape.prefixes = withPrefix(shape.prefixes, code.slice(0, length))
}

function withPrefix(prefixes: readonly string[], prefix: string): string[] {
  if (prefixes.includes(prefix)) return [...prefixes]
  let wider = [...prefixes, prefix]
  while (wider.length > mostPrefixes) wider = [...new Set(wider.map((one) => one.slice(0, -1)))]
  return wider
}

/** One in two hundred of their kind: fewer are slips of the pen, but a library has far fewer cards than copies. */
function usualOf(learnt: readonly CodeShape[], kind: CodeKind): CodeShape[] {
  const shapes = learnt.filter((shape) => shape.kind === kind)
  const total = shapes.reduce((sum, { count }) => sum + count, 0)
  return shapes.filter(({ count }) => count * 200 >= total)
}

export function codeShapesOf(learnt: readonly CodeShape[]): CodeShapes {
  const shapes = [...usualOf(learnt, 'copy'), ...usualOf(learnt, 'beneficiary')]
  const shapesOf = (code: string) => shapes.filter((shape) => isOf(shape, code.toUpperCase()))
  const isOurs = (code: string) => isIsbn(code) || shapesOf(code).length > 0
  const fits = (text: string) => writtenForms(text).some(isOurs)
  const proven = shapes.filter(isProven)
  const isSurelyOurs = (code: string) =>
    isIsbn(code) || proven.some((shape) => isOf(shape, code.toUpperCase()))
  const lengths = [...new Set([...proven.map(({ mask }) => mask.length), 13])].sort((a, b) => b - a)

  /** Every way to cut the text into codes that are surely ours, given up at the second. */
  const ways = (text: string): string[][] => {
    if (text === '') return [[]]
    const found: string[][] = []
    for (const length of lengths) {
      const head = text.slice(0, length)
      if (head.length < length || !isSurelyOurs(head)) continue
      for (const rest of ways(text.slice(length))) found.push([head, ...rest])
      if (found.length > 1) break
    }
    return found
  }

  return {
    fits,
    proves: (text) => writtenForms(text).some(isSurelyOurs),
    mayGoOn: (text) =>
      readingsOf(text).some(
        (code) =>
          isbnBegins(code) ||
          shapes.some((shape) => shape.mask.length > code.length && begins(shape, code.toUpperCase())),
      ),
    split: (text) => {
      if (fits(text) || text.length > mostGlued) return null
      for (const reading of readingsOf(text)) {
        const [only, other] = ways(reading)
        if (other) return null
        if (only && only.length > 1) return only
      }
      return null
    },
    kindOf: (text) => {
      const forms = writtenForms(text)
      if (shapes.length === 0) return forms.map(customaryKind).find((kind) => kind !== null) ?? null
      const [only, other] = new Set(forms.flatMap(shapesOf).map(({ kind }) => kind))
      return other === undefined ? (only ?? null) : null
    },
    resembles: (text) => {
      const forms = writtenForms(text).map((code) => code.toUpperCase())
      const alike = shapes.filter((shape) => forms.some((code) => isLike(shape, code)))
      const [only, other] = new Set(alike.map(({ kind }) => kind))
      return other === undefined ? (only ?? null) : null
    },
    figureLengths: new Set(shapes.filter(({ mask }) => /^0+$/.test(mask)).map(({ mask }) => mask.length)),
  }
}

/** What its scanner meant, then what it typed. */
function readingsOf(text: string): string[] {
  const undone = undoAzerty(text)
  return (undone === null ? [text] : [undone, text]).map((reading) => wholeScan(reading))
}

/** A short or a rare shape would cut any number. */
const isProven = ({ mask, count, prefixes, ...every }: CodeShape): boolean =>
  count >= enoughForPrefix &&
  mask.length >= shortestCut &&
  (prefixes[0] !== '' || every.isLibraryNumber || every.isEan)
const shortestCut = 6

/** Signs of the longest burst that is cut: a scanner that repeats itself for ever is not. */
const mostGlued = 120

function isLike({ mask, count, prefixes }: CodeShape, code: string): boolean {
  if (maskOf(code) !== mask) return false
  return count < enoughForPrefix || prefixes.some((prefix) => code.startsWith(prefix))
}

function isOf(shape: CodeShape, code: string): boolean {
  const { count, ...every } = shape
  if (!isLike(shape, code)) return false
  if (count < enoughForCheckDigit) return true
  return (!every.isLibraryNumber || isLibraryNumber(code)) && (!every.isEan || hasEanCheckDigit(code))
}

function begins({ mask, count, prefixes }: CodeShape, text: string): boolean {
  if (!mask.startsWith(maskOf(text))) return false
  return count < enoughForPrefix || prefixes.some((one) => one.startsWith(text) || text.startsWith(one))
}

const isIsbn = (code: string): boolean => /^97[89]\d{10}(?:\d{5})?$/.test(code) && findIsbn13(code) !== null
const isbnBegins = (text: string): boolean => text.length < 13 && /^97[89]\d*$/.test(text)

/** The custom of libraries' Codabar labels, for a device that has learnt none. */
function customaryKind(code: string): CodeKind | null {
  if (!isLibraryNumber(code)) return null
  return code.startsWith('2') ? 'beneficiary' : code.startsWith('3') ? 'copy' : null
}
