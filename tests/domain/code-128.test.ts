import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { code128 } from '../../src/domain/code-128.ts'

/** What the standard draws by value: those of set B are 32 less than their sign’s code, those of set C a pair of digits. */
const drawings: Record<number, string> = {
  0: '212222',
  1: '222122',
  8: '132212',
  12: '112232',
  17: '123221',
  18: '223211',
  19: '221132',
  23: '312131',
  33: '111323',
  34: '131123',
  44: '132131',
  45: '113123',
  53: '213131',
  54: '311123',
  56: '331121',
  78: '241112',
  82: '121241',
  94: '131141',
  95: '114113',
  102: '411131',
}
const [startB, startC, toB, toC, stop] = ['211214', '211232', '114131', '113141', '2331112']
const drawnAs = (parts: (string | number)[]) =>
  parts.map((part) => (typeof part === 'number' ? (drawings[part] ?? '?') : part)).join('')

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'0123456789'.split('')),
    fc.integer({ min: 32, max: 126 }).map((of) => String.fromCharCode(of)),
  ),
  minLength: 1,
  maxLength: 20,
})

describe('code128', () => {
  // The last before the stop is the check: the start, and each sign as often as its place, modulo 103.
  it.each([
    [' ', [startB, 0, 1, stop]],
    ['~', [startB, 94, 95, stop]],
    ['A', [startB, 33, 34, stop]],
    ['AB', [startB, 33, 34, 102, stop]],
    ['12', [startB, 17, 18, 54, stop]],
    ['123', [startB, 17, 18, 19, 8, stop]],
    ['A12', [startB, 33, 17, 18, 19, stop]],
    ['1234', [startC, 12, 34, 82, stop]],
    ['123456', [startC, 12, 34, 56, 44, stop]],
    ['12345', [startB, 17, toC, 23, 45, 53, stop]],
    ['1234A', [startC, 12, 34, toB, 33, 102, stop]],
    ['A1234B', [startB, 33, toC, 12, 34, toB, 34, 78, stop]],
  ])('draws %j', (written, parts) => {
    expect(code128(written)?.join('')).toBe(drawnAs(parts))
  })

  it('gives eleven modules to each sign and thirteen to the stop, whatever is written', () => {
    fc.assert(
      fc.property(text, (written) => {
        const widths = code128(written) ?? []
        const drawn = widths.slice(0, -7)
        expect(drawn.length % 6).toBe(0)
        for (let at = 0; at < drawn.length; at += 6) {
          expect(drawn.slice(at, at + 6).reduce((sum, width) => sum + width)).toBe(11)
        }
        expect(widths.slice(-7).join('')).toBe(stop)
      }),
    )
  })

  it('draws no two texts alike', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other)
        expect(code128(one)).not.toEqual(code128(other))
      }),
    )
  })

  it.each(['', 'Été', 'A\tB', 'A\u001f', '\u007fA', '€'])(
    'has no bars for %j, which scanners would not give back',
    (written) => expect(code128(written)).toBeNull(),
  )
})
