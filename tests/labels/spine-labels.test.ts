import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { knownSheets, type LabelSheet, labelsOnPage, placeOf } from '../../src/domain/label-sheets.ts'
import { type SpineCode, spineSides, type SpineSide } from '../../src/domain/spine-codes.ts'
import { spineLayout } from '../../src/domain/spine-layout.ts'
import { drawLabels, type HowToPrint, type Label } from '../../src/server/labels/draw-labels.ts'
import { readPdf, type Rectangle } from '../pdf/read-pdf.ts'
import { photograph, surfaceOf, turned } from '../scanner/tilted-label.ts'
import { bytesOf, cut, isBlank, pagesOf, readFrame } from './read-labels.ts'

const dpi = 300
const code = '31555510000017'

const how = (sheet: LabelSheet, others: Partial<HowToPrint> = {}): HowToPrint => ({
  sheet,
  first: 1,
  each: 1,
  kind: 'spine',
  spine: { code: 'data_matrix', side: 9 },
  show: ['title', 'call_number', 'library'],
  library: 'Médiathèque de Port-Louis',
  offset: { x: 0, y: 0 },
  ...others,
})

const labelOf = (call_number: string | null, bar_code = code): Label => ({
  bar_code,
  symbology: 'CODE128',
  title: 'Les belles histoires de la littérature antillaise et guyanaise',
  call_number,
})

const drawn = (labels: readonly Label[], on: HowToPrint) => bytesOf(drawLabels(labels, on))

/** A little of the page around a label goes with it. */
const around = (on: LabelSheet, n: number) => {
  const { page, x, y } = placeOf(on, n)
  return { page, box: { x, y, ...on.label } }
}

/** Every so many of the shelf marks of a real catalogue, and the longest ones. */
function realMarks(): string[] {
  const file = readFileSync('src/server/demonstration/data/catalogue_toulouse.csv', 'utf8')
  const lines = file.split('\n').slice(1)
  const marks = lines.map((line) => line.split(';')[7]?.trim() ?? '').filter((mark) => mark !== '')
  const longest = [...new Set(marks)].toSorted((one, other) => other.length - one.length).slice(0, 4)
  return [
    ...longest,
    'BANDE-DESSINÉE-ADULTE-SCIENCE-FICTION/MOEBIUS',
    ...[7, 2011, 4402, 7905].map((n) => marks[n] ?? ''),
  ]
}

const marks = realMarks()

type Frame = Parameters<typeof surfaceOf>[0]

/** As a camera takes it: turned, and out of focus by some pixels. */
function taken(label: Frame, degrees: number, blur: number): Frame {
  const side = Math.ceil(Math.hypot(label.width, label.height)) + 20
  return photograph(turned(surfaceOf(label), degrees), {
    width: side,
    height: side,
    blur: { x: blur, y: blur },
  })
}

const inMm = (points: number) => (points * 25.4) / 72

/** Whether what is drawn begins in a box of so many millimetres. */
const isIn = (box: Rectangle, { x, y }: Rectangle) =>
  inMm(x) >= box.x && inMm(x) < box.x + box.width && inMm(y) >= box.y && inMm(y) < box.y + box.height

/** In millimetres. */
function boundsOf(rectangles: readonly Rectangle[]) {
  const x = inMm(Math.min(...rectangles.map((one) => one.x)))
  const y = inMm(Math.min(...rectangles.map((one) => one.y)))
  const right = inMm(Math.max(...rectangles.map((one) => one.x + one.width)))
  const foot = inMm(Math.max(...rectangles.map((one) => one.y + one.height)))
  return {
    x,
    y,
    width: right - x,
    height: foot - y,
    module: inMm(Math.min(...rectangles.map((one) => one.height))),
  }
}

describe('a spine label', () => {
  it('is read back whatever its shelf mark is, upright, askew and on its side, a little blurred', async () => {
    const sheet = knownSheets.L7651
    const codes = marks.map((_, at) => `BIB-${String(at).padStart(6, '0')}`)
    const labels = marks.map((mark, at) => labelOf(mark, codes[at]))
    const [page] = pagesOf(await drawn(labels, how(sheet)), dpi)
    for (const [at, mark] of marks.entries()) {
      const label = cut(page!, dpi, around(sheet, at).box)
      for (const [degrees, blur] of [
        [0, 4],
        [7, 3],
        [90, 3],
      ] as const) {
        expect([mark, degrees, await readFrame(taken(label, degrees, blur))]).toEqual([
          mark,
          degrees,
          codes[at],
        ])
      }
    }
  })

  it('is read back with bars along the spine, upright, askew and on its side, a little blurred', async () => {
    const sheet = knownSheets.L7160
    const [page] = pagesOf(
      await drawn([labelOf(marks[0] ?? '')], how(sheet, { spine: { code: 'code_128', side: 9 } })),
      dpi,
    )
    const label = cut(page!, dpi, around(sheet, 0).box)
    for (const degrees of [0, 7, 90]) {
      expect([degrees, await readFrame(taken(label, degrees, 2))]).toEqual([degrees, code])
    }
  })

  const everySheet = Object.entries<LabelSheet>(knownSheets)

  it.each(everySheet)('is read back on the last place of %s, of every size of code', async (_, sheet) => {
    const wishes = [
      ...spineSides.map((side) => ({ code: 'data_matrix', side }) as const),
      { code: 'code_128', side: 9 } as const,
    ]
    const read: [SpineCode, SpineSide, string | null][] = []
    const first = labelsOnPage(sheet)
    for (const spine of wishes.filter((wish) => spineLayout(sheet, code, wish) !== null)) {
      const [page] = pagesOf(
        await drawn([labelOf('R ZOL ger 2')], how(sheet, { first, spine })),
        sheet.dpi ?? dpi,
      )
      read.push([
        spine.code,
        spine.side,
        await readFrame(cut(page!, sheet.dpi ?? dpi, around(sheet, first - 1).box)),
      ])
    }
    expect(read.length).toBeGreaterThanOrEqual(3)
    expect(read).toEqual(read.map(([one, side]) => [one, side, code]))
  })

  it.each([
    ['beneath its mark', 'L7160'],
    ['on a small label', 'L7651'],
    ['on a low roll, beside its mark', 'DK_11204'],
  ] as const)('keeps a module white around a Data Matrix, however long its mark is, %s', async (_, key) => {
    const sheet: LabelSheet = knownSheets[key]
    const all = [...marks, null]
    const file = await drawn(
      all.map((mark) => labelOf(mark)),
      how(sheet, { spine: { code: 'data_matrix', side: 12 } }),
    )
    const [pages, written] = [pagesOf(file, dpi), readPdf(file)]
    for (const [at, mark] of all.entries()) {
      const { page, box } = around(sheet, at)
      const bounds = boundsOf((written[page]?.rectangles ?? []).filter((one) => isIn(box, one)))
      const { x, y, width, height, module } = bounds
      // A hair less, for what the edges of pixels leave.
      const white = module - 0.2
      const isWhite = (where: typeof box) => isBlank(pages[page]!, dpi, where)
      expect([
        mark,
        isWhite({ x: x - module + 0.1, y: y - module, width: white, height: height + 2 * module }),
        isWhite({ x: x + width + 0.1, y: y - module, width: white, height: height + 2 * module }),
        isWhite({ x: x - module, y: y - module + 0.1, width: width + 2 * module, height: white }),
        isWhite({ x: x - module, y: y + height + 0.1, width: width + 2 * module, height: white }),
      ]).toEqual([mark, true, true, true, true])
    }
  })

  const linesOf = async (label: Label, others: Partial<HowToPrint> = {}) =>
    readPdf(await drawn([label], how(knownSheets.L7160, others)))[0]?.text.split('\n')

  it('has its mark in four lines, or its title, cut where even small letters have no room', async () => {
    expect(await linesOf(labelOf('R ZOL ger 2'))).toEqual(['R', 'ZOL', 'ger', '2'])
    expect(await linesOf(labelOf('P LEQU COUPE DU MONDE RUGBY 2011 SEP 3 2'))).toEqual([
      'P LEQU COUPE',
      'DU MONDE',
      'RUGBY 2011',
      'SEP 3 2',
    ])
    expect(await linesOf(labelOf(null))).toEqual([
      'Les belles histoires',
      'de la littérature',
      'antillaise et',
      'guyanaise',
    ])
    expect(await linesOf(labelOf(`R ${'Z'.repeat(90)}`))).toEqual(['R', expect.stringMatching(/^Z+…$/)])
  })

  it('has fewer lines where four would be too small to be read', async () => {
    const sheet = { ...knownSheets.L7160, label: { width: 40, height: 10 } }
    const spine = { code: 'none', side: 9 } as const
    expect(await linesOf(labelOf('R ZOL ger 2'), { sheet, spine })).toEqual(['R ZOL', 'ger 2'])
  })

  it('is cut out along two lines, from its top to its foot, and not at all as callers without a code know it', async () => {
    const { page: _, box } = around(knownSheets.L7160, 0)
    const inkAbove = async (others: Partial<HowToPrint>) => {
      const [page] = pagesOf(await drawn([labelOf('R ZOL ger 2')], how(knownSheets.L7160, others)), dpi)
      // Between its edge and where its mark begins.
      const strip = cut(page!, dpi, { ...box, height: 1.5 })
      const columns = Array.from({ length: strip.width }, (_value, x) => x)
      return columns.filter((x) => isDark(strip, x)).map((x) => (x * 25.4) / dpi - box.width / 2)
    }
    const isDark = (strip: Frame, x: number) =>
      Array.from({ length: strip.height }, (_value, y) => strip.data[(y * strip.width + x) * 4] ?? 255).some(
        (value) => value < 230,
      )
    const cuts = await inkAbove({})
    expect(Math.min(...cuts)).toBeLessThan(-5)
    expect(Math.min(...cuts)).toBeGreaterThan(-12.6)
    expect(Math.max(...cuts)).toBeCloseTo(-Math.min(...cuts), 0)
    expect(cuts.every((x) => Math.abs(Math.abs(x) - Math.max(...cuts)) < 0.4)).toBe(true)
    expect(await inkAbove({ spine: undefined })).toEqual([])
  })

  it('has its whole mark where its letters are made to fit the label', async () => {
    const sheet = knownSheets.L7651
    for (const mark of ['R ZOL ger 2', 'BD AST 12', 'Mam 01', '843.914']) {
      for (const side of spineSides) {
        const lines = await linesOf(labelOf(mark), { sheet, spine: { code: 'data_matrix', side } })
        expect(lines?.join(' ')).toBe(mark)
      }
    }
  })

  it('has no code where none is wanted, and is larger for it', async () => {
    const heightOf = async (wish: SpineCode) => {
      const file = await drawn(
        [labelOf('R ZOL ger 2')],
        how(knownSheets.L7651, { spine: { code: wish, side: 12 } }),
      )
      const { rectangles = [], lines = [] } = readPdf(file)[0] ?? {}
      return { codes: rectangles.length, pitch: (lines[1]?.y ?? 0) - (lines[0]?.y ?? 0) }
    }
    const [without, matrix] = [await heightOf('none'), await heightOf('data_matrix')]
    expect(without.codes).toBe(0)
    expect(matrix.codes).toBeGreaterThan(50)
    expect(without.pitch).toBeGreaterThanOrEqual(matrix.pitch)
  })
})

describe('both labels of a copy', () => {
  it('stand side by side on one row, several times where several are wanted, and are read', async () => {
    const sheet = knownSheets.L7160
    const labels = [labelOf('R ZOL ger', 'A-100001'), labelOf('R ZOL nan', 'A-100002')]
    const file = await drawn(labels, how(sheet, { kind: 'both', first: 20, each: 2 }))
    const pages = pagesOf(file, dpi)
    expect(pages).toHaveLength(2)
    const read = async (n: number) => {
      const { page, box } = around(sheet, n)
      return isBlank(pages[page]!, dpi, box) ? null : readFrame(cut(pages[page]!, dpi, box))
    }
    const codes = await Promise.all(Array.from({ length: 12 }, (_, at) => read(18 + at)))
    const [one, other] = ['A-100001', 'A-100002'].map((of) => [of, of])
    expect(codes).toEqual([null, ...one!, ...one!, null, ...other!, null, ...other!, null])
    const [first] = readPdf(file)
    expect(first?.text.split('\n')).toEqual([
      'Médiathèque de Port-Louis',
      expect.stringMatching(/^Les belles histoires/),
      'A-100001',
      'R ZOL ger',
      'R',
      'ZOL',
      'ger',
    ])
  })
})
