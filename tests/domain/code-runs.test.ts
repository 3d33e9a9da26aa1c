import { describe, expect, it } from 'vitest'

import { runsOf } from '../../src/domain/code-runs.ts'

describe('bar codes in few words', () => {
  it.each([
    [['000123', '000124', '000125'], ['000123 à 000125']],
    [['A9', 'A10', 'A11'], ['A9 à A11']],
    [['0007C', '0008C', '0009C'], ['0007C à 0009C']],
    [
      ['1', '2'],
      ['1', '2'],
    ],
    [
      ['1', '2', '3', '5'],
      ['1 à 3', '5'],
    ],
    // A zero more is another code.
    [
      ['09', '010', '011'],
      ['09', '010', '011'],
    ],
    [
      ['X', 'Y'],
      ['X', 'Y'],
    ],
    [[], []],
  ])('says %j as %j', (codes, runs) => expect(runsOf(codes)).toEqual(runs))
})
