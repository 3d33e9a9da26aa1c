import type { Box } from './box.ts'
import { code128 } from './code-128.ts'
import { dataMatrix } from './data-matrix.ts'
import { dotOf, type LabelSheet, moduleFor, padding, paddingAbove } from './label-sheets.ts'
import type { SpineSide, SpineWishes } from './spine-codes.ts'

type Size = Pick<Box, 'width' | 'height'>

/** A code as rectangles from its own corner, with how much stays white around it. */
type DrawnCode = Size & { dark: readonly Box[]; quiet: { x: number; y: number } }

/** The code of a copy, and how much room its shelf mark has above it, or left of it. */
export type SpineLayout = { code: DrawnCode | null; isBeside: boolean; text: Size }

/** From the label's corner. `cuts` are where a strip narrower than the label is cut out, if it is to be. */
type SpineColumn = { text: Box; code: { x: number; y: number } | null; cuts: readonly number[] }

/** For what printers and paper give way, beyond what must stay white. */
const margin = 1
/** Between the shelf mark and the white around the code. */
const gapAbove = 1
const gapBeside = 2
/** A spine has no room for more. */
const widestColumn = 25
/** White within a strip's cuts, which people do not hit to a hair. */
const cutMargin = 0.5
/** Less is not worth a cut. */
const leastCut = 10
const hair = 0.001

/** Less would hold no shelf mark that is read. */
const leastText = { width: 6, height: 2.2 }

/** Of bars along the spine, in millimetres. */
const barLength = 8
const barsQuiet = 10

const isWide = ({ label }: LabelSheet): boolean => label.width > label.height

const withQuiet = ({ width, height, quiet }: DrawnCode): Size => ({
  width: width + 2 * quiet.x,
  height: height + 2 * quiet.y,
})

/**
 * The room for a shelf mark and the code of its copy, which is the same for all marks: beneath the mark, and only beside it where
 * the label is not tall enough. Null where they do not fit it, or the code cannot be drawn.
 */
export function spineLayout(
  on: LabelSheet,
  bar_code: string,
  { code: wish, side }: SpineWishes,
): SpineLayout | null {
  const { width, height } = on.label
  const above = paddingAbove(on)
  const whole = { width: width - 2 * padding, height: height - 2 * above }
  if (wish === 'none') return { code: null, isBeside: false, text: whole }
  const most = isWide(on) ? widestColumn - 2 * cutMargin : Infinity
  const beneath = wish === 'data_matrix' ? matrixOf(on, bar_code, side) : barsAlong(on, bar_code, height / 2)
  if (beneath) {
    const size = withQuiet(beneath)
    const text = {
      width: Math.min(most, whole.width),
      height: height - above - gapAbove - size.height - margin,
    }
    if (size.width <= width - 2 * margin + hair && isEnough(text)) {
      return { code: beneath, isBeside: false, text }
    }
  }
  const beside = wish === 'data_matrix' ? beneath : barsAlong(on, bar_code, height - 2 * margin)
  if (!beside) return null
  const size = withQuiet(beside)
  // Beside bars a mark is as wide as above a Data Matrix, or hardly a sign would have room.
  const column = wish === 'data_matrix' ? most : most + gapBeside + size.width
  const text = {
    width: Math.min(column, width - 2 * margin) - gapBeside - size.width,
    height: whole.height,
  }
  const fits = size.height <= height - 2 * margin + hair && isEnough(text)
  return fits ? { code: beside, isBeside: true, text } : null
}

const isEnough = ({ width, height }: Size): boolean => width >= leastText.width && height >= leastText.height

/** Where a shelf mark as large as `text`, which is within the layout's room, and its code stand together, in the middle of the label. */
export function spineColumn(on: LabelSheet, { code, isBeside }: SpineLayout, text: Size): SpineColumn {
  const { width, height } = on.label
  const size = code ? withQuiet(code) : { width: 0, height: 0 }
  const gap = code ? (isBeside ? gapBeside : gapAbove) : 0
  const column = isBeside ? text.width + gap + size.width : Math.max(text.width, size.width)
  const strip = column + 2 * cutMargin
  const isCut = isWide(on) && width - strip > leastCut
  const cuts = isCut ? [(width - strip) / 2, (width + strip) / 2] : []
  const left = (width - column) / 2
  if (!code || isBeside) {
    return {
      text: { ...text, x: left, y: (height - text.height) / 2 },
      code: code && { x: left + text.width + gap + code.quiet.x, y: (height - code.height) / 2 },
      cuts,
    }
  }
  // The edges above and beneath are not the same.
  const top = paddingAbove(on)
  const y = top + (height - top - margin - text.height - gap - size.height) / 2
  return {
    text: { ...text, x: (width - text.width) / 2, y },
    code: { x: (width - code.width) / 2, y: y + text.height + gap + code.quiet.y },
    cuts,
  }
}

function matrixOf(on: LabelSheet, text: string, side: SpineSide): DrawnCode | null {
  const rows = dataMatrix(text)
  if (!rows) return null
  const dot = dotOf(on)
  const module = Math.max(1, Math.round(side / dot / rows.length)) * dot
  const dark = rows.flatMap((row, at) =>
    runsOf(row).map(({ from, to }) => ({
      x: from * module,
      y: at * module,
      width: (to - from) * module,
      height: module,
    })),
  )
  const width = rows.length * module
  return { dark, width, height: width, quiet: { x: module, y: module } }
}

function runsOf(row: readonly boolean[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const [at, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last?.to === at) last.to += 1
    else if (isDark) runs.push({ from: at, to: at + 1 })
  }
  return runs
}

/** Bars one above the other, so that the code is read along the spine; their white margins are in the `room`. */
function barsAlong(on: LabelSheet, text: string, room: number): DrawnCode | null {
  const widths = code128(text)
  if (!widths) return null
  const modules = widths.reduce((sum, one) => sum + one, 0)
  const module = moduleFor(on, modules + 2 * barsQuiet, room)
  if (module === null) return null
  const dot = dotOf(on)
  const width = Math.round(barLength / dot) * dot
  const dark: Box[] = []
  let from = 0
  for (const [at, one] of widths.entries()) {
    if (at % 2 === 0) dark.push({ x: 0, y: from * module, width, height: one * module })
    from += one
  }
  return { dark, width, height: modules * module, quiet: { x: 0, y: barsQuiet * module } }
}
