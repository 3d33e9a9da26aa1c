import bwip from 'bwip-js/node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { dataMatrix } from '../../src/domain/data-matrix.ts'

/** Another encoder's symbol of one text. */
function theirs(text: string): boolean[][] {
  const [drawn] = bwip.raw({ bcid: 'datamatrix', text }) as unknown as { pixs: number[]; pixx: number }[]
  const { pixs = [], pixx = 0 } = drawn ?? {}
  const modules = Array.from(pixs, (one) => one === 1)
  return Array.from({ length: pixx }, (_, row) => modules.slice(row * pixx, (row + 1) * pixx))
}

const printable = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((of) => String.fromCharCode(of)),
  minLength: 1,
  maxLength: 22,
})

describe('dataMatrix', () => {
  // Of digits, no other encodation is shorter than ours.
  it.each([
    [10, 6],
    [12, 10],
    [14, 16],
    [16, 24],
    [18, 36],
    [20, 44],
    [22, 60],
    [24, 72],
    [26, 88],
  ])('of %i modules draws what others draw, up to %i digits and no more', (side, most) => {
    const digits = '3155551000001798'.repeat(6)
    for (const text of [digits.slice(0, most), digits.slice(0, most - 1), digits.slice(0, most - 2)]) {
      const symbol = dataMatrix(text)
      expect(symbol).toHaveLength(side)
      expect(symbol).toEqual(theirs(text))
    }
    expect(dataMatrix(digits.slice(0, most + 1))?.length).not.toBe(side)
  })

  it.each(['A', '~ 7', 'BIB-000123', 'bib 12', 'R2-D2', '2000000000015', 'a1b22c333'])(
    'draws %s as others do',
    (text) => expect(dataMatrix(text)).toEqual(theirs(text)),
  )

  it('is dark at its left and foot, and striped at its head and right, whatever is written', () => {
    fc.assert(
      fc.property(printable, (text) => {
        const rows = dataMatrix(text) ?? []
        const side = rows.length
        expect(side % 2).toBe(0)
        for (const [at, row] of rows.entries()) {
          expect(row).toHaveLength(side)
          expect([row[0], rows[side - 1]?.[at]]).toEqual([true, true])
          expect([rows[0]?.[at], row[side - 1]]).toEqual([at % 2 === 0, at % 2 === 1])
        }
      }),
    )
  })

  it('draws no two texts alike', () => {
    fc.assert(
      fc.property(printable, printable, (one, other) => {
        fc.pre(one !== other)
        expect(dataMatrix(one)).not.toEqual(dataMatrix(other))
      }),
    )
  })

  it.each(['', 'Été', 'A\tB', 'A\u001f', '\u007fA', '€', 'A'.repeat(45), '9'.repeat(89)])(
    'is none for %j, which scanners would not give back, or which is too long',
    (text) => expect(dataMatrix(text)).toBeNull(),
  )
})
