import { createRequire } from 'node:module'

import bwip from 'bwip-js/node'
import Pdf from 'pdfkit'

import { knownSheets, placeOf } from '../../src/domain/label-sheets.ts'
import { drawLabels, type Label } from '../../src/server/labels/draw-labels.ts'
import { asRatio, inMs, median, type Section } from './section.ts'

// A thousand labels, against what two known libraries need to draw the same by themselves.

const count = 1000
const times = 7
const library = 'Médiathèque de Port-Louis'
const mm = 72 / 25.4
const sheet = knownSheets.L7160
const { resolve } = createRequire(import.meta.url)

const labels = Array.from({ length: count }, (_, n): Label => ({
  bar_code: `BIB-${String(n).padStart(6, '0')}`,
  symbology: 'CODE128',
  title: `Titre numéro ${n}, suivi d’autres récits`,
  call_number: `R CAM ${n}`,
}))

async function ours(): Promise<number> {
  const how = {
    sheet,
    first: 1,
    each: 1,
    kind: 'bar_code',
    show: ['title', 'call_number', 'library'],
    library,
    offset: { x: 0, y: 0 },
  } as const
  let bytes = 0
  for await (const part of drawLabels(labels, how)) bytes += part.length
  return bytes
}

/** The same labels, as one would write them with pdfkit and bwip-js alone. */
async function theirs(): Promise<number> {
  const document = new Pdf({ autoFirstPage: false, size: 'A4', margin: 0 })
  document.registerFont('plain', resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))
  document.registerFont('bold', resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))
  let bytes = 0
  document.on('data', (part: Uint8Array) => (bytes += part.length))
  const ended = new Promise((done) => document.on('end', done))
  let page = -1
  for (const [at, { bar_code, title, call_number }] of labels.entries()) {
    const place = placeOf(sheet, at)
    if (place.page !== page) {
      page = place.page
      document.addPage()
    }
    const [x, y, width] = [place.x * mm, place.y * mm, sheet.label.width * mm]
    const line = (text: string, font: string, size: number, top: number) =>
      document
        .font(font)
        .fontSize(size)
        .text(text, x, y + top * mm, { width, align: 'center', lineBreak: false })
    line(library, 'plain', 6, 2)
    line(title, 'bold', 7, 5)
    const [drawn] = bwip.raw({ bcid: 'code128', text: bar_code }) as unknown as { sbs: number[] }[]
    const modules = drawn?.sbs ?? []
    let left = x + 10
    for (const [index, wide] of modules.entries()) {
      if (index % 2 === 0) document.rect(left, y + 8 * mm, wide, 18 * mm)
      left += wide
    }
    document.fill('#000')
    line(bar_code, 'plain', 8, 27)
    line(call_number ?? '', 'bold', 8, 31)
  }
  document.end()
  await ended
  return bytes
}

async function msOf(draw: () => Promise<number>): Promise<number> {
  const began = performance.now()
  await draw()
  return performance.now() - began
}

export const labelsSection: Section = {
  name: 'labels',
  async *run() {
    await ours()
    await theirs()
    const own: number[] = []
    const known: number[] = []
    // In turn, so that a busy machine slows both.
    for (let at = 0; at < times; at += 1) {
      own.push(await msOf(ours))
      known.push(await msOf(theirs))
    }
    yield {
      title: `${count} labels`,
      notes: ['At most 1.2 times what pdfkit and bwip-js need alone; the median of seven, drawn in turn.'],
      columns: ['drawn by', 'ms', 'against both alone'],
      rows: [
        ['the product', inMs(median(own)), asRatio(median(own) / median(known))],
        ['pdfkit and bwip-js', inMs(median(known)), asRatio(1)],
      ],
    }
  },
}
