import { describe, expect, it } from 'vitest'

import { canWrite, ean13Of, whyNoBars } from '../../src/domain/symbology-signs.ts'

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

describe('whyNoBars', () => {
  it.each([
    ['CODE128', 'Bib-000123', null],
    ['CODE128', 'Été', '«\u00a0É\u00a0» et «\u00a0é\u00a0» ne s’écrivent pas en Code 128'],
    ['CODE128', 'été', '«\u00a0é\u00a0» ne s’écrit pas en Code 128'],
    ['CODABAR', '12 34', 'l’espace ne s’écrit pas en Codabar'],
    ['CODABAR', 'Livre-1', 'en Codabar ne s’écrivent que les chiffres et les signes - $ : / . +'],
    // Each sign of it is one of Code 39's.
    [
      'CODE39',
      'A/B',
      'en Code 39 ne s’écrivent que les chiffres, les majuscules sans accent, l’espace, - et ., et $ / + % ailleurs que devant une lettre',
    ],
    ['EAN13', '9782070360024', null],
    ['EAN13', '978', 'en EAN-13 ne s’écrivent que 13 chiffres dont le dernier est la clé'],
  ] as const)('in %s of %j: %s', (symbology, code, why) => {
    expect(whyNoBars(symbology, code)).toBe(why)
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
