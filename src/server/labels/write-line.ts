import { type Document, mm } from '../pdf/open-document.ts'

/** `size` is in points, `height` in millimetres. */
export type Line = { text: string; font: 'plain' | 'bold'; size: number; height: number }

/** What rounding adds to a line that was made as wide as its room. */
const hair = 0.01

type Room = { x: number; y: number; width: number }

/** One line in the middle of its room, in millimetres from its top left, cut where it is too long. */
export function writeLine(document: Document, { text, font, size }: Line, { x, y, width }: Room): void {
  const inside = width * mm
  document.font(font).fontSize(size)
  let shown = text.replaceAll(/\s+/g, ' ').trim()
  let wide = document.widthOfString(shown)
  if (wide > inside + hair) {
    let [fits, tooLong] = [0, shown.length]
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1
      if (document.widthOfString(`${shown.slice(0, middle)}…`) <= inside) fits = middle
      else tooLong = middle
    }
    shown = `${shown.slice(0, fits).trimEnd()}…`
    wide = document.widthOfString(shown)
  }
  document.text(shown, x * mm + (inside - wide) / 2, y * mm, { lineBreak: false })
}
