import { describe, expect, it } from 'vitest'

import { canWrite, ean13Of } from '../../src/domain/symbology-signs.ts'

describe('canWrite', () => {
  it.each([
    ['CODE128', 'Bib-000123 ~', true],
    ['CODE128', ' ', true],
    ['CODE128', 'Été', false],
    ['CODE128', 'aé', false],
    ['CODE128', 'éa', false],
    ['CODE128', '', false],
    ['CODE39', 'BIB-0. 9$/+%', true],
    ['CODE39', 'bIB', false],
    ['CODE39', 'BIb', false],
    ['CODE39', 'A*B', false],
    ['CODE39', '', false],
    // Scanners take a sign and a letter for one other sign.
    ['CODE39', '%W000', false],
    ['CODE39', 'A/B', false],
    ['CODE39', 'A/1', true],
    ['CODABAR', '0-9$:/.+', true],
    ['CODABAR', 'A1', false],
    ['CODABAR', '1A', false],
    ['CODABAR', '', false],
    ['EAN13', '9782070360024', true],
    ['EAN13', '9782070360025', false],
    ['EAN13', '036000291452', true],
    ['EAN13', '036000291453', false],
  ] as const)('in %s of %j: %s', (symbology, code, can) => {
    expect(canWrite(symbology, code)).toBe(can)
  })
})

describe('ean13Of', () => {
  it.each([
    ['9782070360024', '9782070360024'],
    ['9782070360025', null],
    ['036000291452', '0036000291452'],
    ['036000291453', null],
    ['36000291452', null],
    ['', null],
  ])('of %j', (code, digits) => {
    expect(ean13Of(code)).toBe(digits)
  })
})
