import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { a4, dotOf, knownSheets, type LabelSheet, roll } from '../../src/domain/label-sheets.ts'
import { spineCodes, spineSides } from '../../src/domain/spine-codes.ts'
import { type Box, spineLayout } from '../../src/domain/spine-layout.ts'

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

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

describe('spineLayout', () => {
  it('keeps the shelf mark off the code and its white margin, and both on the label', () => {
    fc.assert(
      fc.property(on, codes, wishes, (label, bar_code, wish) => {
        const layout = spineLayout(label, bar_code, wish)
        if (!layout?.code) return fc.pre(false)
        const { code, text } = layout
        const white = {
          x: code.x - code.quiet.x,
          y: code.y - code.quiet.y,
          width: code.width + 2 * code.quiet.x,
          height: code.height + 2 * code.quiet.y,
        }
        expect(overlap(white, text)).toBe(false)
        for (const { x, y, width, height } of [white, text]) {
          expect(Math.min(x, y)).toBeGreaterThan(0.99)
          expect(x + width).toBeLessThan(label.label.width - 0.99)
          expect(y + height).toBeLessThan(label.label.height - 0.99)
        }
      }),
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

  it.each([
    ['beside the mark on a wide label', 63.5, 38.1, 'beside'],
    ['beneath it on a tall one', 25, 40, 'beneath'],
  ] as const)('has a Data Matrix %s', (_, width, height, where) => {
    const layout = spineLayout(sheet(width, height), 'BIB-000123', { code: 'data_matrix', side: 9 })
    const { code, text } = layout ?? {}
    const isBeside = text !== undefined && (code?.x ?? 0) > text.x + text.width
    expect(isBeside ? 'beside' : 'beneath').toBe(where)
  })

  it('has bars along a tall narrow label beneath the mark, and beside it on another', () => {
    const barsOn = (width: number, height: number) =>
      spineLayout(sheet(width, height), 'BIB-000123', { code: 'code_128', side: 9 })
    const narrow = barsOn(20, 70)
    expect((narrow?.code?.y ?? 0) > (narrow?.text.height ?? 99)).toBe(true)
    const wide = barsOn(63.5, 38.1)
    expect((wide?.code?.x ?? 0) > (wide?.text.width ?? 99)).toBe(true)
  })

  it('is the whole label where no code is wanted', () => {
    expect(spineLayout(sheet(40, 30), 'Été', { code: 'none', side: 9 })).toEqual({
      code: null,
      text: { x: 2, y: 2, width: 36, height: 26 },
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
