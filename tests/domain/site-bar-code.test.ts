import { describe, expect, it } from 'vitest'

import { barCodeParts, numberingFault } from '../../src/domain/site-bar-code.ts'

describe('barCodeParts', () => {
  it('has the code of the site at its place, and as many digits as the first number', () => {
    expect(barCodeParts({ siteCode: 'C', firstValue: '0012' }, 'START')).toEqual({
      before: 'C',
      after: '',
      width: 4,
      first: 12,
    })
    expect(barCodeParts({ siteCode: 'C', firstValue: '1' }, 'END')).toEqual({
      before: '',
      after: 'C',
      width: 1,
      first: 1,
    })
  })
})

describe('numberingFault', () => {
  it.each([
    ['BIB', '0001', 'CODE39', null],
    ['bib', '0001', 'CODE39', 'en Code 39'],
    ['bib', '0001', 'CODE128', null],
    ['é', '0001', 'CODE128', 'en Code 128'],
    ['3', '0001', 'CODABAR', null],
    ['M', '0001', 'CODABAR', 'en Codabar, qui n’écrit que les chiffres'],
    ['2000', '00000001', 'EAN13', null],
    ['2000', '0000001', 'EAN13', '12 chiffres'],
    ['2000', '000000001', 'EAN13', '12 chiffres'],
    ['', '200000000001', 'EAN13', null],
    ['A000', '00000001', 'EAN13', '12 chiffres'],
  ] as const)('of %j and %j in %s: %s', (siteCode, firstValue, symbology, fault) => {
    const said = numberingFault({ siteCode, firstValue, symbology })
    expect(said).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})
