import { describe, expect, it } from 'vitest'

import {
  type KnownSheet,
  knownSheets,
  type LabelSheet,
  labelsOnPage,
  placeOf,
} from '../../src/domain/label-sheets.ts'
import type { LabelSymbology } from '../../src/domain/label-symbologies.ts'
import {
  drawCalibration,
  drawLabels,
  fittingBars,
  type HowToPrint,
  type Label,
} from '../../src/server/labels/draw-labels.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { bytesOf, cut, isBlank, pagesOf, readWithin } from './read-labels.ts'

const how = (sheet: LabelSheet, others: Partial<HowToPrint> = {}): HowToPrint => ({
  sheet,
  first: 1,
  each: 1,
  kind: 'bar_code',
  show: ['title', 'call_number', 'library'],
  library: 'Médiathèque de Port-Louis',
  offset: { x: 0, y: 0 },
  ...others,
})

const labelOf = (bar_code: string, symbology: LabelSymbology = 'CODE128'): Label => ({
  bar_code,
  symbology,
  title: 'L’Étranger, suivi d’autres récits que personne ne lira jusqu’au bout',
  call_number: 'R CAM etr',
})

const drawn = async (labels: readonly Label[], on: HowToPrint) => bytesOf(drawLabels(labels, on))

const boxOf = (on: LabelSheet, n: number) => {
  const { page, x, y } = placeOf(on, n)
  return { page, box: { x, y, ...on.label } }
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => `BIB-${String(n + 1).padStart(6, '0')}`)

const sheets = ['L7160', 'L7159', 'L7651'] as const
const rolls = Object.entries(knownSheets).filter(([, { dpi }]) => dpi !== null) as [KnownSheet, LabelSheet][]

describe('sheets of labels', () => {
  it.each(sheets.flatMap((key) => [203, 300].map((dpi) => [key, dpi] as const)))(
    '%s are all read back, the last one too, as a printer of %i dots an inch draws them',
    async (key, dpi) => {
      const sheet = knownSheets[key]
      const codes = numbered(labelsOnPage(sheet) + 2)
      const pages = pagesOf(
        await drawn(
          codes.map((code) => labelOf(code)),
          how(sheet),
        ),
        dpi,
      )
      expect(pages).toHaveLength(2)
      const read = []
      for (const n of codes.keys()) {
        const { page, box } = boxOf(sheet, n)
        read.push(await readWithin(pages[page]!, dpi, box))
      }
      expect(read).toEqual(codes)
      expect(isBlank(pages[1]!, dpi, boxOf(sheet, 2).box)).toBe(true)
    },
  )

  it('begin at any label, with several of each', async () => {
    const sheet = knownSheets.L7160
    const pages = pagesOf(
      await drawn(
        ['A-100001', 'A-100002'].map((code) => labelOf(code)),
        how(sheet, { first: 20, each: 2 }),
      ),
      203,
    )
    expect(pages).toHaveLength(2)
    const read = async (n: number) => {
      const { page, box } = boxOf(sheet, n)
      return isBlank(pages[page]!, 203, box) ? null : readWithin(pages[page]!, 203, box)
    }
    expect(await Promise.all(Array.from({ length: 24 }, (_, n) => read(n)))).toEqual([
      ...Array.from({ length: 19 }, () => null),
      'A-100001',
      'A-100001',
      'A-100002',
      'A-100002',
      null,
    ])
  })

  it('are moved by the printer’s offset', async () => {
    const sheet = knownSheets.L7160
    const barsAt = async (offset: { x: number; y: number }) => {
      const [page] = readPdf(await drawn([labelOf('A-100001')], how(sheet, { offset })))
      const { x = 0, y = 0 } = page?.rectangles[0] ?? {}
      return { x: (x * 25.4) / 72, y: (y * 25.4) / 72 }
    }
    const straight = await barsAt({ x: 0, y: 0 })
    const moved = await barsAt({ x: -1.5, y: 0.8 })
    // To the nearest dot.
    expect(Math.abs(moved.x - straight.x + 1.5)).toBeLessThan(0.05)
    expect(Math.abs(moved.y - straight.y - 0.8)).toBeLessThan(0.05)
  })

  it('show what is asked for, the title cut to its line', async () => {
    const textOf = async (others: Partial<HowToPrint>) =>
      readPdf(await drawn([labelOf('A-100001')], how(knownSheets.L7160, others)))[0]?.text.split('\n')
    expect(await textOf({})).toEqual([
      'Médiathèque de Port-Louis',
      expect.stringMatching(/^L’Étranger, suivi d’autres .*…$/),
      'A-100001',
      'R CAM etr',
    ])
    expect(await textOf({ show: [] })).toEqual(['A-100001'])
    expect(await textOf({ show: ['call_number'] })).toEqual(['A-100001', 'R CAM etr'])
  })
})

describe('rolls of labels', () => {
  it.each(rolls)('%s have one label a page, whose bars are whole dots and are read', async (_, sheet) => {
    const dpi = sheet.dpi!
    const codes = ['BIB-000001', 'BIB-000002']
    const file = await drawn(
      codes.map((code) => labelOf(code)),
      how(sheet),
    )
    for (const { width, height, rectangles } of readPdf(file)) {
      const dots = [width, height, ...rectangles.flatMap((bar) => [bar.x, bar.y, bar.width, bar.height])]
      for (const length of dots) {
        const inDots = (length * dpi) / 72
        expect(Math.abs(inDots - Math.round(inDots))).toBeLessThan(0.001)
      }
      expect(Math.abs((width * 25.4) / 72 - sheet.label.width)).toBeLessThan(0.2)
    }
    const pages = pagesOf(file, dpi)
    expect(pages).toHaveLength(2)
    const whole = { x: 0, y: 0, ...sheet.label }
    expect(await Promise.all(pages.map((page) => readWithin(page, dpi, whole)))).toEqual(codes)
  })

  it('have no grey between their bars and the paper', async () => {
    const sheet = knownSheets.ROLL_57_32
    const file = await drawn([labelOf('BIB-000001')], how(sheet, { show: [] }))
    const [first] = readPdf(file)[0]?.rectangles ?? []
    const middle = ((first?.y ?? 0) + (first?.height ?? 0) / 2) * (25.4 / 72)
    const strip = cut(pagesOf(file, 203)[0]!, 203, { x: 0, y: middle, width: 57, height: 0.3 })
    // A hair is what the page's own rounding leaves.
    expect([...new Set(strip.data)].filter((value) => value > 16 && value < 239)).toEqual([])
  })
})

describe('each symbology', () => {
  const printed = Object.entries(knownSheets).flatMap(([key, sheet]) =>
    (sheet.dpi === null ? [203, 300] : [sheet.dpi]).map((dpi) => [key, dpi] as const),
  ) as [KnownSheet, number][]
  const codes = [
    ['CODE128', 'Bib-000123'],
    ['CODE39', 'BIB-000123'],
    ['CODABAR', '31555510000010'],
    ['EAN13', '2000000000015'],
  ] as const

  it.each(printed.flatMap(([key, dpi]) => codes.map(([symbology]) => [symbology, key, dpi] as const)))(
    '%s is read on the last label of %s, at %i dots an inch',
    async (symbology, key, dpi) => {
      const sheet: LabelSheet = knownSheets[key]
      const [, code] = codes.find(([one]) => one === symbology)!
      const label = labelOf(code, symbology)
      // What does not fit is refused before it is drawn, and says so.
      expect(fittingBars(sheet, label)).not.toBeNull()
      const last = labelsOnPage(sheet)
      const [page] = pagesOf(await drawn([label], how(sheet, { first: last })), dpi)
      expect(await readWithin(page!, dpi, boxOf(sheet, last - 1).box)).toBe(code)
    },
  )
})

describe('spine labels', () => {
  it('have the call number in three lines, and the title where there is none', async () => {
    const file = await drawn(
      [labelOf('A-100001'), { ...labelOf('A-100002'), call_number: null, title: 'Candide' }],
      how(knownSheets.L7651, { kind: 'spine' }),
    )
    const [page] = readPdf(file)
    expect(page?.text.split('\n')).toEqual(['R', 'CAM', 'etr', 'Candide'])
    expect(page?.rectangles).toEqual([])
  })
})

describe('a calibration sheet', () => {
  it('has its two lines at ten millimetres, or where a known printer must be told to draw them', async () => {
    const linesAt = async (offset: { x: number; y: number }) => {
      const [page] = pagesOf(await bytesOf(drawCalibration({ sheet: knownSheets.L7160, offset })), 300)
      const isDark = (box: Parameters<typeof cut>[2]) =>
        cut(page!, 300, box).data.some((value, at) => at % 4 === 0 && value < 128)
      const first = (test: (mm: number) => boolean) =>
        Array.from({ length: 200 }, (_, n) => n / 10).find(test)
      return {
        x: first((x) => isDark({ x, y: 6, width: 0.2, height: 0.5 })),
        y: first((y) => isDark({ x: 6, y, width: 0.5, height: 0.2 })),
      }
    }
    const straight = await linesAt({ x: 0, y: 0 })
    expect(straight.x).toBeCloseTo(9.8, 0)
    expect(straight.y).toBeCloseTo(9.8, 0)
    const moved = await linesAt({ x: 2, y: -1 })
    expect(moved.x! - straight.x!).toBeCloseTo(2, 0)
    expect(moved.y! - straight.y!).toBeCloseTo(-1, 0)
  })
})
