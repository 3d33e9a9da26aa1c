import { type LabelSheet, onDot, shelfMarkLines, spineLines } from '../../domain/label-sheets.ts'
import type { SpineWishes } from '../../domain/spine-codes.ts'
import { type Box, spineLayout } from '../../domain/spine-layout.ts'
import { type Document, mm } from '../pdf/open-document.ts'
import { writeLine } from './write-line.ts'

type SpineLabel = { bar_code: string; title: string; call_number: string | null }

const mostLines = 4
/** In points. */
const smallest = 5
const largest = 24
/** From a line to the next one, for letters of the size 1. */
const leading = 1.2
const padding = 2

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
    return writeLines(document, spineLines(mark), { inside: within(box, inside), rows: 3 })
  }
  const layout = spineLayout(sheet, bar_code, spine)
  if (!layout) throw new Error(`no room for ${bar_code}`)
  const { code, text } = layout
  const most = Math.min(mostLines, Math.floor((text.height * mm) / (smallest * leading)))
  const lines = shelfMarkLines(mark, Math.max(1, most))
  writeLines(document, lines, { inside: within(box, text), rows: lines.length })
  if (code)
    drawDark(document, code.dark, { x: onDot(sheet, box.x + code.x), y: onDot(sheet, box.y + code.y) })
}

const within = (box: Box, { x, y, ...size }: Box): Box => ({ ...size, x: box.x + x, y: box.y + y })

/** In the middle of their box, as large as so many rows would be. */
function writeLines(
  document: Document,
  lines: readonly string[],
  { inside, rows }: { inside: Box; rows: number },
): void {
  document.font('bold').fontSize(10)
  const widest = Math.max(...lines.map((line) => document.widthOfString(line))) / 10
  const tallest = (inside.height * mm) / rows / leading
  const size = Math.max(smallest, Math.min(largest, tallest, (inside.width * mm) / widest))
  const height = (size * leading) / mm
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
