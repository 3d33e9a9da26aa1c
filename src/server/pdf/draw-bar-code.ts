import type { Box } from '../../domain/box.ts'
import { code128 } from '../../domain/code-128.ts'
import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import { canWrite, ean13Of } from '../../domain/symbology-signs.ts'
import { type Document, mm } from './open-document.ts'

/** Widths in modules of bars and spaces in turn, a bar first, and how many stay white on each side. */
export type Bars = { widths: readonly number[]; quiet: number }

/** How many narrow bars a wide one of Code 39 and Codabar is: scanners like three, small labels have room for two. */
type Wide = 2 | 3

/** Null for a code that the symbology cannot write. */
export function barsOf(symbology: LabelSymbology, code: string, wide: Wide = 3): Bars | null {
  if (!canWrite(symbology, code)) return null
  switch (symbology) {
    case 'CODE128': {
      const widths = code128(code)
      return widths && { widths, quiet: 10 }
    }
    case 'CODE39':
      return { widths: inTurn(`*${code}*`, code39, wide), quiet: 10 }
    case 'CODABAR':
      return { widths: inTurn(`A${code}A`, codabar, wide), quiet: 10 }
    case 'EAN13':
      return { widths: ean13(ean13Of(code) ?? ''), quiet: 11 }
  }
}

export const modulesOf = ({ widths, quiet }: Bars): number =>
  widths.reduce((sum, one) => sum + one, 2 * quiet)

/** Bars and spaces in turn, « w » where they are wide (ISO/IEC 16388, table 1). */
const code39 =
  patterns(`0nnnwwnwnn 1wnnwnnnnw 2nnwwnnnnw 3wnwwnnnnn 4nnnwwnnnw 5wnnwwnnnn 6nnwwwnnnn 7nnnwnnwnw
8wnnwnnwnn 9nnwwnnwnn Awnnnnwnnw Bnnwnnwnnw Cwnwnnwnnn Dnnnnwwnnw Ewnnnwwnnn Fnnwnwwnnn Gnnnnnwwnw Hwnnnnwwnn
Innwnnwwnn Jnnnnwwwnn Kwnnnnnnww Lnnwnnnnww Mwnwnnnnwn Nnnnnwnnww Ownnnwnnwn Pnnwnwnnwn Qnnnnnnwww Rwnnnnnwwn
Snnwnnnwwn Tnnnnwnwwn Uwwnnnnnnw Vnwwnnnnnw Wwwwnnnnnn Xnwnnwnnnw Ywwnnwnnnn Znwwnwnnnn -nwnnnnwnw .wwnnnnwnn
_nwwnnnwnn $nwnwnwnnn /nwnwnnnwn +nwnnnwnwn %nnnwnwnwn *nwnnwnwnn`)

/** The same (ANSI/AIM BC3-1995). */
const codabar = patterns(
  '0nnnnnww 1nnnnwwn 2nnnwnnw 3wwnnnnn 4nnwnnwn 5wnnnnwn 6nwnnnnw 7nwnnwnn 8nwwnnnn 9wnnwnnn -nnnwwnn $nnwwnnn :wnnnwnw /wnwnnnw .wnwnwnn +nnwnwnw Annwwnwn',
)

function patterns(written: string): Map<string, string> {
  return new Map(
    written.split(/\s+/).map((one) => [one.startsWith('_') ? ' ' : one.slice(0, 1), one.slice(1)]),
  )
}

/** Sign after sign, with a narrow space between two. */
const inTurn = (text: string, of: Map<string, string>, wide: Wide): number[] =>
  Array.from(text).flatMap((sign, at) => [
    ...(at === 0 ? [] : [1]),
    ...Array.from(of.get(sign) ?? '', (one) => (one === 'w' ? wide : 1)),
  ])

/** Widths of a digit's four parts (GS1 General Specifications, 5.2.1.2.1). */
const digits = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112']
/** By the first digit, which of the six at the left are written the other way round. */
const turned = ['', '245', '235', '234', '145', '125', '123', '135', '134', '124']

function ean13(code: string): number[] {
  const [first = 0, ...others] = Array.from(code, Number)
  const partsOf = (digit: number) => Array.from(digits[digit] ?? '', Number)
  const left = others
    .slice(0, 6)
    .flatMap((digit, at) => (turned[first]?.includes(String(at)) ? partsOf(digit).reverse() : partsOf(digit)))
  return [1, 1, 1, ...left, 1, 1, 1, 1, 1, ...others.slice(6).flatMap(partsOf), 1, 1, 1]
}

/** Ten modules on each side stay white, or scanners miss the code (ISO/IEC 15417). */
const quiet = 10
/** Wider bars are read no better. */
const widestModule = 0.4 * mm

/** Draws a text as Code 128 in the middle of a box in points, as wide as reads well; false where it has no bars. */
export function drawBarCode(document: Document, text: string, { x, y, width, height }: Box): boolean {
  const widths = code128(text)
  if (widths === null) return false
  const modules = widths.reduce((sum, one) => sum + one, 0)
  const module = Math.min(widestModule, width / (modules + 2 * quiet))
  let left = x + (width - modules * module) / 2
  for (const [at, one] of widths.entries()) {
    if (at % 2 === 0) document.rect(left, y, one * module, height)
    left += one * module
  }
  document.fill('#000')
  return true
}
