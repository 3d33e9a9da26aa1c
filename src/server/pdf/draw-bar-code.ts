import { code128 } from '../../domain/code-128.ts'
import { type Document, mm } from './open-document.ts'

/** Ten modules on each side stay white, or scanners miss the code (ISO/IEC 15417). */
const quiet = 10
/** Wider bars are read no better. */
const widestModule = 0.4 * mm

type Box = { x: number; y: number; width: number; height: number }

/** Draws a text as Code 128 in the middle of a box, as wide as reads well; false where it has no bars. */
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
