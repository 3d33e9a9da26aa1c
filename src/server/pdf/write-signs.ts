import { existsSync } from 'node:fs'

import openBidi from 'bidi-js'

/** A file and, where it is a collection, the PostScript name of its face. */
type FontFile = { path: string; face: string | undefined }

/** Signs of Chinese, Japanese and Korean, as Debian's packages have them; too large to come along. */
const ofSystem: readonly FontFile[] = [
  { path: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', face: 'NotoSansCJKjp-Regular' },
  { path: '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf', face: undefined },
  { path: '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', face: 'WenQuanYiMicroHei' },
  { path: '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf', face: undefined },
]

/** What `PDF_FONT` names (`file.ttf`, `file.ttc#Face`), or the system has; null for none. */
function ownFont(): FontFile | null {
  const [path, face] = process.env['PDF_FONT']?.trim().split('#') ?? []
  if (path) return { path, face }
  return ofSystem.find((font) => existsSync(font.path)) ?? null
}

/** A part of a line, in the order in which it is read; `isRtl` where that is from right to left. */
export type Part = { text: string; isRtl: boolean }

const bidi = openBidi()

/** The parts of one line from left to right, as `split` cuts them; the line reads from right to left where its first letter does. */
export function inVisualOrder<P extends Part>(
  line: string,
  split: (part: Part) => readonly P[],
): readonly P[] {
  const { levels } = bidi.getEmbeddingLevels(line)
  const runs: { level: number; text: string }[] = []
  let at = 0
  for (const sign of line) {
    // Both halves of a sign are of the level of its first.
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    const seen = level % 2 === 1 ? (bidi.getMirroredCharacter(sign) ?? sign) : sign
    if (last?.level === level) last.text += seen
    else runs.push({ level, text: seen })
    at += sign.length
  }
  const parts = runs.flatMap(({ level, text }) =>
    split({ text, isRtl: level % 2 === 1 }).map((of) => ({ level, of })),
  )
  for (let least = Math.max(0, ...runs.map(({ level }) => level)); least > 0; least -= 1)
    turnEach(parts, ({ level }) => level >= least)
  return parts.map(({ of }) => of)
}

/** Turns each longest run of such parts round. */
function turnEach<T>(parts: T[], isIn: (part: T) => boolean): void {
  let from = 0
  for (let at = 0; at <= parts.length; at += 1) {
    const part = parts[at]
    if (part !== undefined && isIn(part)) continue
    parts.splice(from, at - from, ...parts.slice(from, at).reverse())
    from = at + 1
  }
}

/** What pdfkit has beside what it says: it writes every line by `_fragment`, after cutting lines by `widthOfString`. */
type Inside = PDFKit.PDFDocument & {
  _font: Font
  _fontSize: number
  _fragment(text: string, x: number, y: number, options: Options): void
}
type Font = { font: { hasGlyphForCodePoint(sign: number): boolean }; ascender: number }
type Options = PDFKit.Mixins.TextOptions & { lineWidth?: number; textWidth?: number; wordCount?: number }

type Written = Part & { font: Font }

/** All of it is in the fonts that come along, from left to right. */
const usual = /^[\n\t -~\u00a0-\u024f\u2013-\u2026\u202f\u20ac]*$/
/** Says nothing by itself: where no font has it, nothing is missing. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u
/** Written from the right by the shaper itself. */
const rtlLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const joined = /[\p{M}\p{Join_Control}\p{Variation_Selector}]/u

/** In place of a sign that no font has. */
const noSign = '\ufffd'

const missingIn = new WeakMap<PDFKit.PDFDocument, Set<string>>()

/** Signs of which a document has the mark instead. */
export const missingSigns = (document: PDFKit.PDFDocument): ReadonlySet<string> =>
  missingIn.get(document) ?? new Set()

/** Has a document write right to left what is read so, and by the library's own font what its own have not. */
export function writeEverySign(document: PDFKit.PDFDocument): void {
  const inside = document as Inside
  const fragment = inside._fragment.bind(inside)
  const widthOf = inside.widthOfString.bind(inside)
  const missing = new Set<string>()
  missingIn.set(document, missing)
  let other: Font | null | undefined

  /** Opened for the first sign that asks for it. */
  const otherFont = (): Font | null => {
    if (other !== undefined) return other
    const file = ownFont()
    const font = inside._font
    other = null
    try {
      if (file?.face !== undefined) inside.font(file.path, file.face)
      else if (file) inside.font(file.path)
      if (file) other = inside._font
    } catch {
      // It is as if there were none.
    }
    inside._font = font
    return other
  }
  const has = (font: Font | null, sign: string) => font?.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0)

  /** Cut where the font changes; a mark is of the sign before it. */
  const byFont = ({ text, isRtl }: Part): Written[] => {
    const parts: Written[] = []
    for (const sign of text) {
      const last = parts.at(-1)
      const fonts = last && joined.test(sign) ? [last.font, inside._font] : [inside._font]
      const found = fonts.find((font) => has(font, sign)) ?? (has(otherFont(), sign) ? other : null)
      if (!found && unseen.test(sign)) continue
      if (!found) missing.add(sign)
      const font = found ?? inside._font
      const written = found ? sign : noSign
      if (last?.font === font) last.text += written
      else parts.push({ text: written, isRtl, font })
    }
    if (isRtl) for (const part of parts) if (!rtlLetter.test(part.text)) part.text = turned(part.text)
    return parts
  }
  /** Null for what pdfkit writes well by itself. */
  const partsOf = (text: string): readonly Written[] | null => {
    if (usual.test(text)) return null
    const parts = inVisualOrder(text.replaceAll('\n', ''), byFont)
    const [only] = parts
    return parts.length === 1 && only && !only.isRtl && only.text === text && only.font === inside._font
      ? null
      : parts
  }
  const by = <T>(font: Font, work: () => T): T => {
    const before = inside._font
    inside._font = font
    try {
      return work()
    } finally {
      inside._font = before
    }
  }
  // Asked for with features, be they none, a part is laid out in one piece, its spaces in their places.
  const widthOfPart = ({ text, isRtl, font }: Written, options: Options) =>
    by(font, () => widthOf(text, isRtl ? { ...options, features: [] } : options))
  const widthOfAll = (parts: readonly Written[], options: Options) =>
    parts.reduce((sum, part) => sum + widthOfPart(part, options), 0)

  inside.widthOfString = (text, options = {}) => {
    const parts = partsOf(text)
    return parts ? widthOfAll(parts, options) : widthOf(text, options)
  }
  inside._fragment = (text, x, y, options) => {
    // The space at a line's end would stand at the left of what is read from the right.
    const parts = partsOf(text.trimEnd())
    if (!parts) return fragment(text, x, y, options)
    const { align, width, lineWidth = 0, ...rest } = options
    const free = lineWidth - widthOfAll(parts, rest)
    let left = x
    if (width && align === 'right') left += free
    else if (width && align === 'center') left += free / 2
    const baseline = rest.baseline ?? (-inside._font.ascender * inside._fontSize) / 1000
    for (const part of parts) {
      const textWidth = widthOfPart(part, rest)
      const how = { ...rest, baseline, textWidth, wordCount: 1, ...(part.isRtl ? { features: [] } : {}) }
      by(part.font, () => fragment(part.text, left, y, how))
      left += textWidth
    }
  }
}

const turned = (text: string): string => Array.from(text).reverse().join('')
