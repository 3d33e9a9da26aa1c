import { describe, expect, it } from 'vitest'

import { figuresOfAzerty, undoAzerty } from '../../src/domain/azerty.ts'

describe('figuresOfAzerty', () => {
  it.each([
    ['&é"\'(-è_çà', '1234567890'],
    ['&é"\'(§è!çà', '1234567890'],
    ['"&((((&ÀÀÀÀ_ÇÉ', '31555510000892'],
    ['&é"\'(A', '&é"\'(A'],
    ['', ''],
  ])('reads %s', (typed, read) => expect(figuresOfAzerty(typed)).toBe(read))
})

describe('undoAzerty', () => {
  it.each([
    ['HQ&&é"\'(', 'HA112345'],
    ['Bààà&é"', 'B000123'],
    ['BIB)ààà&é"', 'BIB-000123'],
    ['éàèà"-ààéX', '207036002X'],
    ['$C&BIB)ààà&é"', ']C1BIB-000123'],
    ['zq?q&é', 'waMa12'],
    ['BÀÀÀ&É"', 'B000123'],
  ])('reads %s as %s', (typed, read) => expect(undoAzerty(typed)).toBe(read))

  it.each(['BIB-000123', 'D&D-12', 'SALLE_A', '31555510000066'])('leaves %s', (typed) =>
    expect(undoAzerty(typed)).toBeNull(),
  )
})
