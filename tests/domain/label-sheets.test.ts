import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  a4,
  dotOf,
  fitsPage,
  isKnownSheet,
  knownSheets,
  type LabelRun,
  type LabelSheet,
  labelsOnPage,
  moduleFor,
  offsetOf,
  onDot,
  pagesOfRun,
  placeInRun,
  placeOf,
  roll,
  sheetOf,
  shelfMarkLines,
  spineLines,
} from '../../src/domain/label-sheets.ts'

const all = Object.entries(knownSheets)

/** Ten by ten millimetres, three columns and two rows. */
const small: LabelSheet = {
  name: 'Petite',
  page: { width: 40, height: 30 },
  label: { width: 10, height: 10 },
  left: 2,
  top: 3,
  pitch: { x: 12, y: 11 },
  columns: 3,
  rows: 2,
  dpi: null,
}
const own = {
  name: 'Maison',
  kind: 'sheet' as const,
  label_width: 500,
  label_height: 300,
  margin_left: 55,
  margin_top: 70,
  pitch_x: 515,
  pitch_y: 0,
  columns: 3,
  rows: 9,
}

describe('knownSheets', () => {
  it.each(all)('%s has every label within its page, none over another', (_, on) => {
    expect(fitsPage(on)).toBe(true)
    const places = Array.from({ length: labelsOnPage(on) }, (_, n) => placeOf(on, n))
    for (const [at, { page, x, y }] of places.entries()) {
      expect(page).toBe(0)
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + on.label.width).toBeLessThanOrEqual(on.page.width + 0.01)
      expect(y + on.label.height).toBeLessThanOrEqual(on.page.height + 0.01)
      for (const other of places.slice(at + 1)) {
        const isBeside = Math.abs(other.x - x) >= on.label.width - 0.01
        expect(isBeside || Math.abs(other.y - y) >= on.label.height - 0.01).toBe(true)
      }
    }
    expect(placeOf(on, labelsOnPage(on))).toEqual({ ...places[0], page: 1 })
  })

  it('have as many labels as their makers say', () => {
    const { L7160, L7159, L7651, DYMO_11354 } = knownSheets
    expect([L7160, L7159, L7651, DYMO_11354].map(labelsOnPage)).toEqual([21, 24, 65, 1])
    expect([L7160, L7159, L7651].every(({ page }) => page === a4)).toBe(true)
  })

  it.each(all)('%s is named by the size of its labels', (_, { name, label }) => {
    const [, width, height] = /(\d+(?:,\d)?) × (\d+(?:,\d)?) mm/.exec(name) ?? []
    expect([width, height].map((size) => Number(size?.replace(',', '.')))).toEqual([
      label.width,
      label.height,
    ])
  })

  it.each(all)('%s has modules of whole dots, at least two of them', (_, on) => {
    for (const modules of [90, 117, 140, 180]) {
      const module = moduleFor(on, modules, on.label.width - 2)
      if (module === null) continue
      const dots = module / dotOf(on)
      expect(dots).toBeCloseTo(Math.round(dots), 9)
      expect(Math.round(dots)).toBeGreaterThanOrEqual(2)
      expect(module * modules).toBeLessThanOrEqual(on.label.width - 2 + 1e-9)
    }
    expect(moduleFor(on, 1000, on.label.width)).toBeNull()
  })
})

describe('isKnownSheet', () => {
  it.each([
    ['L7160', true],
    ['DK_11204', true],
    ['L9999', false],
    ['', false],
    ['constructor', false],
  ])('of %j: %s', (key, isOne) => {
    expect(isKnownSheet(key)).toBe(isOne)
  })
})

describe('roll', () => {
  it('has one label a page, from its corner', () => {
    const label = { width: 57, height: 32 }
    expect(roll('R', label, 300)).toEqual({
      name: 'R',
      page: label,
      label,
      left: 0,
      top: 0,
      pitch: { x: 57, y: 32 },
      columns: 1,
      rows: 1,
      dpi: 300,
    })
  })
})

describe('sheetOf', () => {
  it('reads tenths of a millimetre; labels touch where there is no pitch', () => {
    expect(sheetOf(own)).toEqual({
      name: 'Maison',
      page: a4,
      label: { width: 50, height: 30 },
      left: 5.5,
      top: 7,
      pitch: { x: 51.5, y: 30 },
      columns: 3,
      rows: 9,
      dpi: null,
    })
    expect(sheetOf({ ...own, pitch_x: 0, pitch_y: 1 }).pitch).toEqual({ x: 50, y: 0.1 })
    expect(sheetOf({ ...own, pitch_x: 1 }).pitch.x).toBe(0.1)
  })

  it.each([
    ['roll_203', 203],
    ['roll_300', 300],
  ] as const)('of a %s is a roll', (kind, dpi) => {
    expect(sheetOf({ ...own, kind })).toEqual(roll('Maison', { width: 50, height: 30 }, dpi))
  })
})

describe('placeOf', () => {
  it.each([
    [0, 0, 2, 3],
    [1, 0, 14, 3],
    [2, 0, 26, 3],
    [3, 0, 2, 14],
    [5, 0, 26, 14],
    [6, 1, 2, 3],
    [13, 2, 14, 3],
  ])('of label %i is on page %i at %i, %i', (n, page, x, y) => {
    expect(placeOf(small, n)).toEqual({ page, x, y })
  })
})

describe('placeInRun', () => {
  const slots = (on: LabelSheet, labels: number, run: LabelRun) => {
    const places = Array.from({ length: labelsOnPage(on) * 20 }, (_, slot) =>
      JSON.stringify(placeOf(on, slot)),
    )
    return Array.from({ length: labels }, (_, n) => places.indexOf(JSON.stringify(placeInRun(on, n, run))))
  }

  it.each<[what: string, on: Partial<LabelSheet>, run: LabelRun, expected: number[]]>([
    ['one after the other', {}, { first: 3, inPairs: false }, [2, 3, 4, 5, 6, 7]],
    ['from the first sheet, whatever is asked', {}, { first: 9, inPairs: false }, [2, 3, 4, 5, 6, 7]],
    ['in pairs, the last of an odd row empty', {}, { first: 1, inPairs: true }, [0, 1, 3, 4, 6, 7]],
    ['in pairs from the middle of a row', {}, { first: 2, inPairs: true }, [1, 2, 3, 4, 6, 7]],
    ['in pairs from the end of a row', {}, { first: 3, inPairs: true }, [3, 4, 6, 7, 9, 10]],
    ['in pairs from the end of a sheet', {}, { first: 6, inPairs: true }, [6, 7, 9, 10, 12, 13]],
    ['in pairs in even rows', { columns: 2 }, { first: 1, inPairs: true }, [0, 1, 2, 3, 4, 5]],
    ['in pairs in one column', { columns: 1, rows: 5 }, { first: 2, inPairs: true }, [1, 2, 3, 4, 5, 6]],
    [
      'in pairs, parted by no sheet',
      { columns: 1, rows: 5 },
      { first: 1, inPairs: true },
      [0, 1, 2, 3, 5, 6],
    ],
    ['in pairs on a roll', { columns: 1, rows: 1 }, { first: 1, inPairs: true }, [0, 1, 2, 3, 4, 5]],
  ])('has labels %s', (_, on, run, expected) => {
    expect(slots({ ...small, ...on }, 6, run)).toEqual(expected)
  })

  it('has both of a pair side by side on one sheet, whatever the sheet, and each label where no other is', () => {
    const grid = fc.record({ columns: fc.integer({ min: 1, max: 6 }), rows: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(grid, fc.integer({ min: 1, max: 60 }), (one, first) => {
        fc.pre(one.columns * one.rows > 1)
        const on = { ...small, ...one }
        const places = Array.from({ length: 40 }, (_, n) => placeInRun(on, n, { first, inPairs: true }))
        expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(40)
        for (let n = 0; n < 40; n += 2) {
          const [left, right] = [places[n]!, places[n + 1]!]
          const step = on.columns > 1 ? { x: on.pitch.x, y: 0 } : { x: 0, y: on.pitch.y }
          expect(right).toEqual({ page: left.page, x: left.x + step.x, y: left.y + step.y })
        }
      }),
    )
  })
})

describe('pagesOfRun', () => {
  it.each<[labels: number, run: LabelRun, pages: number]>([
    [0, { first: 1, inPairs: false }, 0],
    [6, { first: 1, inPairs: false }, 1],
    [6, { first: 2, inPairs: false }, 2],
    [4, { first: 1, inPairs: true }, 1],
    [6, { first: 1, inPairs: true }, 2],
    [4, { first: 3, inPairs: true }, 2],
    // Nothing is printed on the sheet whose last place holds no pair.
    [2, { first: 6, inPairs: true }, 1],
  ])('of %i labels, %j', (labels, run, pages) => {
    expect(pagesOfRun(small, labels, run)).toBe(pages)
  })
})

describe('fitsPage', () => {
  it.each<[fits: boolean, what: string, changes: Partial<LabelSheet>]>([
    [true, 'all labels on the page', {}],
    [true, 'labels to its right and lower edge', { left: 6, top: 9 }],
    [true, 'a hair over the right edge', { left: 6.04 }],
    [false, 'more than a hair over it', { left: 6.06 }],
    [true, 'a hair over the lower edge', { top: 9.04 }],
    [false, 'more than a hair over it', { top: 9.06 }],
    [false, 'a column too many', { columns: 4 }],
    [false, 'a row too many', { rows: 3 }],
    [true, 'labels that touch', { pitch: { x: 10, y: 10 } }],
    [true, 'labels over one another by a hair', { pitch: { x: 9.96, y: 9.96 } }],
    [false, 'columns over one another', { pitch: { x: 9.94, y: 11 } }],
    [false, 'rows over one another', { pitch: { x: 12, y: 9.94 } }],
    [true, 'a single column, whatever its pitch', { columns: 1, pitch: { x: 0, y: 11 } }],
    [true, 'a single row, whatever its pitch', { rows: 1, pitch: { x: 12, y: 0 } }],
    [false, 'two columns at one place', { columns: 2, pitch: { x: 0, y: 11 } }],
    [false, 'two rows at one place', { pitch: { x: 12, y: 0 } }],
  ])('is %s of %s: %j', (fits, _, changes) => {
    expect(fitsPage({ ...small, ...changes })).toBe(fits)
  })
})

describe('dotOf', () => {
  it.each([
    [254, 0.1],
    [null, 0.0211667],
  ])('of %s dots an inch is %d millimetres', (dpi, dot) => {
    expect(dotOf({ dpi })).toBeCloseTo(dot, 6)
  })
})

describe('onDot', () => {
  it.each([
    [3.3, 3.3],
    [3.34, 3.3],
    [3.36, 3.4],
    [0.04, 0],
  ])('moves %d to the nearest whole dot', (millimetres, moved) => {
    expect(onDot({ dpi: 254 }, millimetres)).toBeCloseTo(moved, 9)
  })
})

describe('moduleFor', () => {
  // A dot of 0.1 mm: modules are of 2 to 4 dots.
  it.each([
    [100, 100, 0.4],
    [100, 40.1, 0.4],
    [100, 39.9, 0.3],
    [100, 20.1, 0.2],
    [100, 19.9, null],
  ])('of %i modules in %d mm', (modules, width, module) => {
    const found = moduleFor({ ...small, dpi: 254 }, modules, width)
    expect(found === null ? null : Math.round(found * 1000) / 1000).toBe(module)
  })

  it('is of two dots where two are wider than a module should be', () => {
    // Dots of 0.254 mm.
    expect(moduleFor({ ...small, dpi: 100 }, 10, 100)).toBeCloseTo(0.508, 9)
    expect(moduleFor({ ...small, dpi: 100 }, 10, 5)).toBeNull()
  })

  it('is never narrower than 0.16 mm, however fine the dots', () => {
    // 127 dots an inch would do with one dot; 1200 need 8 of them.
    expect(moduleFor(small, 100, 17)).toBeCloseTo((8 * 25.4) / 1200, 9)
    expect(moduleFor(small, 100, 16.8)).toBeNull()
  })
})

describe('offsetOf', () => {
  it.each([
    [10, 10, 0, 0],
    [11.5, 9, -1.5, 1],
  ])('of lines measured at %d, %d moves what is printed by %d, %d', (left, top, x, y) => {
    expect(offsetOf({ left, top })).toEqual({ x, y })
  })
})

describe('spineLines', () => {
  it.each([
    ['R CAM etr', ['R', 'CAM', 'etr']],
    [' 843.914 ', ['843.914']],
    ['R  CAM', ['R', 'CAM']],
    ['R CAM etr 2', ['R', 'CAM', 'etr 2']],
    ['R CAM etr 2 bis', ['R', 'CAM', 'etr 2 bis']],
    ['', ['']],
  ])('of %j', (callNumber, lines) => {
    expect(spineLines(callNumber)).toEqual(lines)
  })
})

describe('shelfMarkLines', () => {
  it.each([
    ['R CAM etr', ['R', 'CAM', 'etr']],
    ['R CAM etr 2', ['R', 'CAM', 'etr', '2']],
    [' 843.914\u00a0092 ', ['843.914', '092']],
    ['P JAIL NO. 489 OCT 2017', ['P JAIL', 'NO. 489', 'OCT', '2017']],
    ['P LEQU COUPE DU MONDE RUGBY 2011 SEP 3 2', ['P LEQU COUPE', 'DU MONDE', 'RUGBY 2011', 'SEP 3 2']],
    ['ALBUM-JEUNESSE CLAVELOUX NICOLE', ['ALBUM-', 'JEUNESSE', 'CLAVELOUX', 'NICOLE']],
    [
      'BANDE-DESSINÉE-ADULTE-SCIENCE-FICTION/MOEBIUS',
      ['BANDE-DESSINÉE-', 'ADULTE-SCIENCE-', 'FICTION/MOEBIUS'],
    ],
    ['R JEAN-PAUL', ['R', 'JEAN-PAUL']],
    ['R DUPONT-AIGNAN-', ['R', 'DUPONT-', 'AIGNAN-']],
    ['R -------------', ['R', '-------------']],
    ['', ['']],
  ])('of %j has four at most, the longest as short as can be', (mark, lines) => {
    expect(shelfMarkLines(mark, 4)).toEqual(lines)
  })

  it('has all of the mark in its order, in as many lines as there is room for', () => {
    const marks = fc.array(fc.stringMatching(/^[A-Z0-9.]{1,12}$/), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(marks, fc.integer({ min: 1, max: 4 }), (parts, most) => {
        const lines = shelfMarkLines(parts.join(' '), most)
        expect(lines.join(' ')).toBe(parts.join(' '))
        expect(lines.length).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('is of the first 120 signs of a mark', () => {
    expect(shelfMarkLines('0123456789'.repeat(13), 1)).toEqual(['0123456789'.repeat(12)])
  })
})
