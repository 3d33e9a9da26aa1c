import { code128 } from './code-128.ts'
import { dataMatrix } from './data-matrix.ts'
import { dotOf, type LabelSheet, moduleFor } from './label-sheets.ts'
import type { SpineSide, SpineWishes } from './spine-codes.ts'

/** In millimetres. */
export type Box = { x: number; y: number; width: number; height: number }

/** A code as rectangles from its own corner, with how much stays white around it. */
type DrawnCode = { dark: readonly Box[]; width: number; height: number; quiet: { x: number; y: number } }

/** From the label's corner. */
type SpineLayout = { code: (DrawnCode & { x: number; y: number }) | null; text: Box }

/** For what printers and paper give way, beyond what must stay white. */
const margin = 1
const gap = 1
const padding = 2
const hair = 0.001

/** Less would hold no shelf mark that is read. */
const leastText = { width: 6, height: 2.2 }

/** Of bars along the spine, in millimetres. */
const barLength = 8
const barsQuiet = 10

/** Where a label has its shelf mark and the code of its copy; null where they do not fit it, or the code cannot be drawn. */
export function spineLayout(
  on: LabelSheet,
  bar_code: string,
  { code, side }: SpineWishes,
): SpineLayout | null {
  const { width, height } = on.label
  const above = Math.min(padding, 1 + height / 30)
  const whole = { x: padding, y: above, width: width - 2 * padding, height: height - 2 * above }
  if (code === 'none') return { code: null, text: whole }
  const layouts: SpineLayout[] = []
  const beneath = code === 'data_matrix' ? matrixOf(on, bar_code, side) : barsOf(on, bar_code, height / 2)
  if (beneath) {
    const x = (width - beneath.width) / 2
    const y = height - margin - beneath.quiet.y - beneath.height
    const text = { ...whole, height: y - beneath.quiet.y - gap - above }
    layouts.push({ code: { ...beneath, x, y }, text })
  }
  const beside = code === 'data_matrix' ? beneath : barsOf(on, bar_code, height - 2 * margin)
  if (beside) {
    const x = width - margin - beside.quiet.x - beside.width
    const y = (height - beside.height) / 2
    const text = { ...whole, width: x - beside.quiet.x - gap - padding }
    layouts.push({ code: { ...beside, x, y }, text })
  }
  // The same for all labels of a sheet, whatever their marks are.
  return layouts.filter((layout) => fits(layout, on)).toSorted((a, b) => roomIn(b) - roomIn(a))[0] ?? null
}

function fits({ code, text }: SpineLayout, { label }: LabelSheet): boolean {
  if (text.width < leastText.width || text.height < leastText.height) return false
  return (
    code === null ||
    (code.x - code.quiet.x >= margin - hair &&
      code.y - code.quiet.y >= margin - hair &&
      code.x + code.width + code.quiet.x <= label.width - margin + hair &&
      code.y + code.height + code.quiet.y <= label.height - margin + hair)
  )
}

/** How large four lines of five signs would be. */
const roomIn = ({ text }: SpineLayout): number => Math.min(text.height / 4.8, text.width / 3.3)

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
function barsOf(on: LabelSheet, text: string, room: number): DrawnCode | null {
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
