import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Box } from '../../src/domain/box.ts'
import { a4, dotOf, knownSheets, type LabelSheet, roll } from '../../src/domain/label-sheets.ts'
import { spineCodes, spineSides } from '../../src/domain/spine-codes.ts'
import { spineColumn, type SpineLayout, spineLayout } from '../../src/domain/spine-layout.ts'

const sheet = (width: number, height: number): LabelSheet => ({
  ...roll('Une', { width, height }, 300),
  page: a4,
  dpi: null,
})

const on = fc
  .record({
    width: fc.integer({ min: 10, max: 90 }),
    height: fc.integer({ min: 10, max: 90 }),
    dpi: fc.constantFrom(null, 203, 300),
  })
  .map(({ width, height, dpi }) => ({ ...sheet(width, height), dpi }))
const wishes = fc.record({ code: fc.constantFrom(...spineCodes), side: fc.constantFrom(...spineSides) })
const codes = fc.constantFrom('1', 'BIB-000123', '31555510000017', 'LIVRES-JEUNESSE-00009')

/** Of its room, how much a mark takes. */
const share = fc.double({ min: 0.1, max: 1, noNaN: true })

const columnOf = (on: LabelSheet, layout: SpineLayout, taken: { width: number; height: number }) =>
  spineColumn(on, layout, {
    width: layout.text.width * taken.width,
    height: layout.text.height * taken.height,
  })

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

describe('spineLayout', () => {
  it('keeps the shelf mark off the code and its white margin, and both on the label', () => {
    fc.assert(
      fc.property(
        on,
        codes,
        wishes,
        fc.record({ width: share, height: share }),
        (label, bar_code, wish, taken) => {
          const layout = spineLayout(label, bar_code, wish)
          if (!layout?.code) return fc.pre(false)
          const { code } = layout
          const { text, code: from, cuts } = columnOf(label, layout, taken)
          const white = {
            x: (from?.x ?? 0) - code.quiet.x,
            y: (from?.y ?? 0) - code.quiet.y,
            width: code.width + 2 * code.quiet.x,
            height: code.height + 2 * code.quiet.y,
          }
          expect(overlap(white, text)).toBe(false)
          for (const { x, y, width, height } of [white, text]) {
            expect(Math.min(x, y)).toBeGreaterThan(0.99)
            expect(x + width).toBeLessThan(label.label.width - 0.99)
            expect(y + height).toBeLessThan(label.label.height - 0.99)
            if (cuts.length > 0) {
              expect(x).toBeGreaterThan(cuts[0] ?? Infinity)
              expect(x + width).toBeLessThan(cuts[1] ?? 0)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('draws in whole dots, one module white on each side of a Data Matrix, ten at the ends of bars', () => {
    fc.assert(
      fc.property(on, codes, wishes, (label, bar_code, wish) => {
        const code = spineLayout(label, bar_code, wish)?.code
        if (!code) return fc.pre(false)
        const dot = dotOf(label)
        for (const { x, y, width, height } of code.dark) {
          for (const length of [x, y, width, height]) {
            expect(Math.abs(length / dot - Math.round(length / dot))).toBeLessThan(1e-6)
          }
        }
        const module = Math.min(...code.dark.map(({ height }) => height))
        expect(code.quiet.y).toBeCloseTo(wish.code === 'data_matrix' ? module : 10 * module)
      }),
      { numRuns: 200 },
    )
  })

  it.each(spineSides)('draws a Data Matrix of %i mm to the nearest dots', (side) => {
    for (const label of Object.values(knownSheets)) {
      const code = spineLayout(label, 'BIB-000123', { code: 'data_matrix', side })?.code
      expect(code?.width).toBe(code?.height)
      expect(Math.abs((code?.width ?? 0) - side)).toBeLessThanOrEqual(7 * dotOf(label) + 1e-6)
    }
  })

  it('is one column in the middle of the label, mark and code one above the other and no further than a gap apart', () => {
    for (const label of [knownSheets.L7160, knownSheets.L7159, knownSheets.L7651, sheet(25, 40)]) {
      const layout = spineLayout(label, 'BIB-000123', { code: 'data_matrix', side: 9 })!
      const { text, code } = columnOf(label, layout, { width: 0.3, height: 0.5 })
      expect(text.x + text.width / 2).toBeCloseTo(label.label.width / 2)
      expect(code!.x + layout.code!.width / 2).toBeCloseTo(label.label.width / 2)
      expect(code!.y - layout.code!.quiet.y - text.y - text.height).toBeCloseTo(1)
    }
  })

  it('is at most 25 mm wide with a Data Matrix on a label that is wider than tall', () => {
    fc.assert(
      fc.property(on, codes, fc.constantFrom(...spineSides), (label, bar_code, side) => {
        fc.pre(label.label.width > label.label.height)
        const layout = spineLayout(label, bar_code, { code: 'data_matrix', side })
        if (!layout) return fc.pre(false)
        const { cuts } = columnOf(label, layout, { width: 1, height: 1 })
        // A label that is hardly wider needs no cut.
        expect(cuts).toHaveLength(label.label.width > 35 + 1e-6 ? 2 : cuts.length)
        const [left = 0, right = 0] = cuts
        expect(right - left).toBeLessThanOrEqual(25 + 1e-6)
      }),
      { numRuns: 300 },
    )
  })

  it('is cut out of a label that is more than 10 mm wider, as wide as its mark or its code', () => {
    const cutsOf = (label: LabelSheet, width: number) => {
      const layout = spineLayout(label, 'BIB-000123', { code: 'data_matrix', side: 9 })!
      const [left = 0, right = 0] = spineColumn(label, layout, { width, height: 5 }).cuts
      return right - left
    }
    expect(cutsOf(knownSheets.L7160, 20)).toBeCloseTo(21)
    // Its code, the white around it and a little more.
    expect(cutsOf(knownSheets.L7160, 3)).toBeGreaterThan(10.5)
    expect(cutsOf(knownSheets.L7160, 3)).toBeLessThan(12)
    expect(cutsOf(sheet(32, 30), 20.9)).toBeCloseTo(21.9)
    expect(cutsOf(sheet(32, 30), 21.1)).toBe(0)
    expect(cutsOf(sheet(60, 60), 10)).toBe(0)
  })

  it('has bars along the spine beneath the mark where they fit, and else two millimetres beside it', () => {
    const barsOn = (width: number, height: number) => {
      const label = sheet(width, height)
      const layout = spineLayout(label, 'BIB-000123', { code: 'code_128', side: 9 })!
      return { isBeside: layout.isBeside, ...columnOf(label, layout, { width: 0.5, height: 0.5 }) }
    }
    const tall = barsOn(20, 70)
    expect(tall.isBeside).toBe(false)
    expect(tall.code!.y).toBeGreaterThan(tall.text.y + tall.text.height)
    const wide = barsOn(63.5, 38.1)
    expect(wide.isBeside).toBe(true)
    expect(wide.code!.x - wide.text.x - wide.text.width).toBeCloseTo(2)
    expect(wide.cuts).toHaveLength(2)
  })

  it('has a Data Matrix beside its mark only on a label too low for both', () => {
    const isBeside = (side: 9 | 12) =>
      spineLayout(knownSheets.DK_11204, 'BIB-000123', { code: 'data_matrix', side })?.isBeside
    expect([isBeside(9), isBeside(12)]).toEqual([false, true])
  })

  it('leaves the whole label to a mark where no code is wanted', () => {
    const layout = spineLayout(sheet(40, 30), 'Été', { code: 'none', side: 9 })!
    expect(layout).toEqual({ code: null, isBeside: false, text: { width: 36, height: 26 } })
    expect(spineColumn(sheet(40, 30), layout, { width: 36, height: 26 })).toEqual({
      code: null,
      text: { x: 2, y: 2, width: 36, height: 26 },
      cuts: [],
    })
  })

  it.each([
    ['a Data Matrix that leaves no room for the mark', sheet(15, 15), 'BIB-000123', 'data_matrix', 12],
    ['a Data Matrix wider than the label', sheet(13, 60), 'BIB-000123', 'data_matrix', 12],
    ['a code that is too long for a Data Matrix', sheet(90, 90), 'A'.repeat(45), 'data_matrix', 12],
    ['bars longer than the label is tall', knownSheets.L7651, 'BIB-000123', 'code_128', 9],
    ['signs that are never drawn', sheet(90, 90), 'Été', 'data_matrix', 9],
    ['signs that have no bars', sheet(90, 90), 'Été', 'code_128', 9],
  ] as const)('is none for %s', (_, label, bar_code, code, side) => {
    expect(spineLayout(label, bar_code, { code, side })).toBeNull()
  })
})
