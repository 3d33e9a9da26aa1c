import { describe, expect, it } from 'vitest'

import { byteSize } from '../../src/domain/byte-size.ts'

describe('byteSize', () => {
  it.each([
    [0, '0\u202foctet'],
    [1, '1\u202foctet'],
    [999, '999\u202foctets'],
    [1000, '1\u202fko'],
    [2449, '2,4\u202fko'],
    [41_800, '42\u202fko'],
    [999_499, '999\u202fko'],
    [999_500, '1\u202fMo'],
    [9_960_000, '10\u202fMo'],
    [500_000_000, '500\u202fMo'],
    [999_600_000, '1\u202fGo'],
    [1_530_000_000, '1,5\u202fGo'],
    [2_000_000_000_000, '2\u202f000\u202fGo'],
  ])('writes %d bytes as %s', (bytes, written) => expect(byteSize(bytes)).toBe(written))
})
