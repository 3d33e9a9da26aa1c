import { setImmediate as nextTurn } from 'node:timers/promises'

import { type LabelKind, type LabelLine, labelsOfKind } from '../../contract/labels.ts'
import type { Box } from '../../domain/box.ts'
import {
  calibrationLine,
  dotOf,
  type LabelSheet,
  labelsOnPage,
  moduleFor,
  onDot,
  padding,
  paddingAbove,
  placeInRun,
  placeOf,
} from '../../domain/label-sheets.ts'
import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import type { SpineWishes } from '../../domain/spine-codes.ts'
import { type Bars, barsOf, modulesOf } from '../pdf/draw-bar-code.ts'
import { type Document, finished, made, mm, openDocument } from '../pdf/open-document.ts'
import { drawSpine, type Line, writeLine } from './draw-spine.ts'

type Calibration = { sheet: LabelSheet; offset: { x: number; y: number } }

/** Two lines whose distance from the paper's edges is measured, and where this printer's labels lie. */
export async function* drawCalibration({ sheet, offset }: Calibration): AsyncIterable<Uint8Array> {
  const size: [number, number] = [sheet.page.width * mm, sheet.page.height * mm]
  const document = await openDocument({ size, margin: 0, info: { Title: 'Feuille de réglage' } })
  document.addPage()
  const left = (calibrationLine + offset.x) * mm
  const top = (calibrationLine + offset.y) * mm
  const right = (sheet.page.width - 5) * mm
  const bottom = (sheet.page.height - 5) * mm
  for (let n = 0; n < labelsOnPage(sheet) && sheet.dpi === null; n += 1) {
    const { x, y } = placeOf(sheet, n)
    document.rect((x + offset.x) * mm, (y + offset.y) * mm, sheet.label.width * mm, sheet.label.height * mm)
  }
  document.lineWidth(0.25).dash(2, { space: 2 }).stroke('#888')
  document.undash().lineWidth(0.4)
  document.moveTo(left, 5 * mm).lineTo(left, bottom)
  document.moveTo(5 * mm, top).lineTo(right, top)
  document.stroke('#000')
  const isSmall = sheet.page.width < 100
  const sentences = isSmall
    ? [`Mesurez ces deux traits`, `depuis les bords\u202f: ${calibrationLine} mm attendus.`]
    : [
        'Feuille de réglage, à imprimer sans mise à l’échelle («\u00a0taille réelle\u00a0»)',
        `Mesurez, à la règle, du bord gauche de la feuille au trait vertical\u202f: ${calibrationLine} mm attendus.`,
        `Mesurez du bord haut de la feuille au trait horizontal\u202f: ${calibrationLine} mm attendus.`,
        'Écrivez ces deux mesures à l’imprimante, dans les réglages\u202f: ses étiquettes seront décalées d’autant.',
        'Imprimée de nouveau pour cette imprimante, la feuille doit montrer ses traits à leur place, et les pointillés sur les étiquettes.',
      ]
  const [textSize, line] = isSmall ? [6, 3] : [9, 5.5]
  document.font('plain').fontSize(textSize).fillColor('#000')
  for (const [at, sentence] of sentences.entries()) {
    document.text(sentence, left + 3 * mm, top + (3 + at * line) * mm, { lineBreak: false })
  }
  yield* finished(document)
}

export type Label = {
  bar_code: string
  symbology: LabelSymbology
  title: string
  call_number: string | null
}

export type HowToPrint = {
  sheet: LabelSheet
  /** The first label's place on the first page, from 1. */
  first: number
  each: number
  kind: LabelKind
  show: readonly LabelLine[]
  /** Of labels with a shelf mark: without it they are as `drawSpine` says. */
  spine?: SpineWishes | undefined
  library: string
  /** In millimetres. */
  offset: { x: number; y: number }
}

/** Beyond the bars' own white margins, for what printers and paper give way. */
const edge = 0.5
const leastHeight = 6
const least = 4

/** The bars that fit a label, with how wide a module is; null where not even narrow ones do. */
export function fittingBars(
  on: LabelSheet,
  { symbology, bar_code }: Pick<Label, 'symbology' | 'bar_code'>,
): { bars: Bars; module: number } | null {
  for (const wide of [3, 2] as const) {
    const bars = barsOf(symbology, bar_code, wide)
    const module = bars && moduleFor(on, modulesOf(bars), on.label.width - 2 * edge)
    if (bars && module !== null) return { bars, module }
  }
  return null
}

/** A thermal printer's page is as many whole dots, so that no bar falls between two. */
const pageOf = (on: LabelSheet): [number, number] => {
  const whole = (length: number) =>
    on.dpi === null ? length : Math.ceil(length / dotOf(on) - 0.001) * dotOf(on)
  return [whole(on.page.width) * mm, whole(on.page.height) * mm]
}

/** Drawn while it is sent, so that nothing holds more than a page. */
export async function* drawLabels(labels: readonly Label[], how: HowToPrint): AsyncIterable<Uint8Array> {
  const { sheet, first, each } = how
  const document = await openDocument({ size: pageOf(sheet), margin: 0, info: { Title: 'Étiquettes' } })
  const run = { first, inPairs: how.kind === 'both' }
  let at = 0
  let page = -1
  const kinds = Array.from({ length: each }, () => labelsOfKind[how.kind]).flat()
  for (const label of labels) {
    for (const kind of kinds) {
      const place = placeInRun(sheet, at, run)
      if (place.page !== page) {
        page = place.page
        await nextTurn()
        yield* made(document)
        document.addPage()
      }
      const box = { ...sheet.label, x: place.x + how.offset.x, y: place.y + how.offset.y }
      if (kind === 'spine') drawSpine(document, label, box, how)
      else drawBarCodeLabel(document, label, box, how)
      at += 1
    }
  }
  if (page === -1) document.addPage()
  yield* finished(document)
}

/** The library and the title over the bars, the code and the call number under them. */
function drawBarCodeLabel(
  document: Document,
  label: Label,
  box: Box,
  { sheet, show, library }: HowToPrint,
): void {
  const fitting = fittingBars(sheet, label)
  if (!fitting) throw new Error(`no bars for ${label.bar_code}`)
  const has = (line: LabelLine) => show.includes(line)
  const over: Line[] = [
    ...(has('library') ? [{ text: library, font: 'plain', size: 6, height: 2.8 } as const] : []),
    ...(has('title') && label.title !== ''
      ? [{ text: label.title, font: 'bold', size: 7, height: 3.2 } as const]
      : []),
  ]
  const under: Line[] = [
    { text: label.bar_code, font: 'plain', size: 8, height: 3.4 },
    ...(has('call_number') && label.call_number !== null
      ? [{ text: label.call_number, font: 'bold', size: 8, height: 3.4 } as const]
      : []),
  ]
  const inner = box.height - 2 * paddingAbove(sheet)
  const room = () => inner - [...over, ...under].reduce((sum, { height }) => sum + height, 0)
  // Bars come first: a small label loses the library, then the title, then the call number.
  while (room() < leastHeight && over.length > 0) over.shift()
  while (room() < leastHeight && under.length > 1) under.pop()
  const barsHeight = Math.max(least, Math.min(room(), 18))
  const spare = Math.max(0, inner - barsHeight - (inner - room()))
  let y = box.y + (box.height - inner) / 2 + spare / 2
  const written = { x: box.x + padding, width: box.width - 2 * padding }
  for (const line of over) {
    writeLine(document, line, { ...written, y })
    y += line.height
  }
  drawBars(document, fitting, { ...box, y, height: barsHeight - 0.6 }, sheet)
  y += barsHeight
  for (const line of under) {
    writeLine(document, line, { ...written, y })
    y += line.height
  }
}

/** In the middle of its box, every edge on a dot. */
function drawBars(
  document: Document,
  { bars, module }: NonNullable<ReturnType<typeof fittingBars>>,
  { x, y, width, height }: Box,
  on: LabelSheet,
): void {
  const modules = modulesOf(bars) - 2 * bars.quiet
  const left = onDot(on, x + (width - modules * module) / 2)
  const top = onDot(on, y) * mm
  const tall = onDot(on, height) * mm
  let from = 0
  for (const [at, wide] of bars.widths.entries()) {
    if (at % 2 === 0) document.rect((left + from * module) * mm, top, wide * module * mm, tall)
    from += wide
  }
  document.fill('#000')
}
