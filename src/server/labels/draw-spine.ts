import type { Box } from '../../domain/box.ts'
import {
  dotOf,
  type LabelSheet,
  onDot,
  padding,
  shelfMarkLines,
  spineLines,
} from '../../domain/label-sheets.ts'
import type { SpineWishes } from '../../domain/spine-codes.ts'
import { spineColumn, spineLayout } from '../../domain/spine-layout.ts'
import { type Document, mm } from '../pdf/open-document.ts'

/** `size` is in points, `height` in millimetres. */
export type Line = { text: string; font: 'plain' | 'bold'; size: number; height: number }

/** What rounding adds to a line that was made as wide as its room. */
const hair = 0.01

type LineRoom = { x: number; y: number; width: number }

/** One line in the middle of its room, in millimetres from its top left, cut where it is too long. */
export function writeLine(document: Document, { text, font, size }: Line, { x, y, width }: LineRoom): void {
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

type SpineLabel = { bar_code: string; title: string; call_number: string | null }

const mostLines = 4
/** In points. */
const smallest = 5
/** A mark has rather fewer lines than smaller letters than this. */
const readable = 8
const largest = 24
/** From a line to the next one, for letters of the size 1. */
const leading = 1.2

/**
 * A call number, as large as the label has room for, and the title where there is none. With `spine` it has up to four lines and
 * the code that is asked for, which must fit; without, three lines alone.
 */
export function drawSpine(
  document: Document,
  { bar_code, title, call_number }: SpineLabel,
  box: Box,
  { sheet, spine }: { sheet: LabelSheet; spine?: SpineWishes | undefined },
): void {
  const mark = call_number ?? title
  if (!spine) {
    const inside = {
      x: padding,
      y: padding,
      width: box.width - 2 * padding,
      height: box.height - 2 * padding,
    }
    const lines = spineLines(mark)
    return writeLines(document, { lines, ...sizeIn(document, lines, inside, 3) }, within(box, inside))
  }
  const layout = spineLayout(sheet, bar_code, spine)
  if (!layout) throw new Error(`no room for ${bar_code}`)
  const { lines, size, width } = linesIn(document, mark, layout.text)
  const column = spineColumn(sheet, layout, { width, height: lines.length * heightOf(size) })
  writeLines(document, { lines, size }, within(box, column.text))
  if (layout.code && column.code) {
    const { x, y } = column.code
    drawDark(document, layout.code.dark, { x: onDot(sheet, box.x + x), y: onDot(sheet, box.y + y) })
  }
  drawCuts(document, column.cuts, box, sheet)
}

const within = (box: Box, { x, y, ...size }: Box): Box => ({ ...size, x: box.x + x, y: box.y + y })

/** Of a line, in millimetres. */
const heightOf = (size: number): number => (size * leading) / mm

/** A mark in as many lines as are read, for they make the label narrow. */
function linesIn(document: Document, mark: string, room: Room): Sized & { lines: string[] } {
  const most = Math.max(1, Math.min(mostLines, Math.floor(room.height / heightOf(smallest))))
  const ways = Array.from({ length: most }, (_, at) => {
    const lines = shelfMarkLines(mark, most - at)
    return { lines, ...sizeIn(document, lines, room, lines.length) }
  })
  const ease = ({ fitting }: Sized) => Math.min(fitting, readable)
  return ways.reduce((best, way) => (ease(way) > ease(best) ? way : best))
}

type Room = Pick<Box, 'width' | 'height'>
/** `fitting` may be too small for letters, `size` is not; `width` is that of the longest line, in millimetres. */
type Sized = { fitting: number; size: number; width: number }

/** How large letters are that fit a room as so many rows would. */
function sizeIn(document: Document, lines: readonly string[], room: Room, rows: number): Sized {
  document.font('bold').fontSize(10)
  const widest = Math.max(...lines.map((line) => document.widthOfString(line))) / 10
  const fitting = Math.min(largest, (room.height * mm) / rows / leading, (room.width * mm) / widest)
  const size = Math.max(smallest, fitting)
  return { fitting, size, width: Math.min(room.width, (size * widest) / mm) }
}

/** In the middle of their box. */
function writeLines(
  document: Document,
  { lines, size }: { lines: readonly string[]; size: number },
  inside: Box,
): void {
  const height = heightOf(size)
  const top = inside.y + (inside.height - lines.length * height) / 2
  for (const [at, text] of lines.entries()) {
    writeLine(document, { text, font: 'bold', size, height }, { ...inside, y: top + at * height })
  }
}

/** All in one shape, so that no hair of white is between two of them. */
function drawDark(document: Document, dark: readonly Box[], from: { x: number; y: number }): void {
  for (const { x, y, width, height } of dark) {
    document.rect((from.x + x) * mm, (from.y + y) * mm, width * mm, height * mm)
  }
  document.fill('#000')
}

/** Where scissors go, from the label's top to its foot. A thermal printer knows no grey, and nothing thinner than a dot. */
function drawCuts(document: Document, cuts: readonly number[], box: Box, on: LabelSheet): void {
  if (cuts.length === 0) return
  for (const x of cuts) {
    const along = (box.x + x) * mm
    document.moveTo(along, box.y * mm).lineTo(along, (box.y + box.height) * mm)
  }
  const isThermal = on.dpi !== null
  document.lineWidth(isThermal ? dotOf(on) * mm : 0.25).dash(2, { space: 2 })
  document.stroke(isThermal ? '#000' : '#888').undash()
}
