import { describe, expect, it } from 'vitest'

import { runsOf } from '../../src/domain/code-runs.ts'

describe('runsOf', () => {
  it.each([
    [['000123', '000124', '000125'], ['000123 à 000125']],
    [['A9', 'A10', 'A11'], ['A9 à A11']],
    [['0099', '0100', '0101'], ['0099 à 0101']],
    [['0007C', '0008C', '0009C'], ['0007C à 0009C']],
    // The last number of a code is the one that counts.
    [['2026-8-x', '2026-9-x', '2026-10-x'], ['2026-8-x à 2026-10-x']],
    [['9007199254740992', '9007199254740993', '9007199254740994'], ['9007199254740992 à 9007199254740994']],
    [
      ['1', '2', '3', '5', '7', '8', '9', '10'],
      ['1 à 3', '5', '7 à 10'],
    ],
  ])('says of %j the first and the last: %j', (codes, runs) => expect(runsOf(codes)).toEqual(runs))

  it.each([
    [[]],
    [['1']],
    // Two are as short by themselves.
    [['1', '2']],
    [['1', '2', '4', '5']],
    [['1', '3', '5']],
    [['3', '2', '1']],
    [['1', '1', '1']],
    // A zero more is another code, and so is one less.
    [['09', '010', '011']],
    [['009', '10', '11']],
    [['A1', 'B2', 'C3']],
    [['1A', '2B', '3C']],
    [['1', '2A', '3A']],
    [['X', 'Y', 'Z']],
    [['X', '1', '2']],
    [['', '1', '']],
  ])('leaves %j as they are', (codes) => expect(runsOf(codes)).toEqual(codes))
})
