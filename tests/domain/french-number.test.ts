import { describe, expect, it } from 'vitest'

import { frenchNumber } from '../../src/domain/french-number.ts'

describe('frenchNumber', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1\u202f000'],
    [1_234_567, '1\u202f234\u202f567'],
    [-1000, '-1\u202f000'],
    [12.5, '12,5'],
  ])('writes %d as %s', (value, written) => expect(frenchNumber(value)).toBe(written))
})
