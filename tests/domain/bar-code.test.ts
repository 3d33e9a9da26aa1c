import { describe, expect, it } from 'vitest'

import {
  classifyBarCode,
  cleanScan,
  findIsbn13,
  formsByCase,
  hasEanCheckDigit,
  isLibraryNumber,
  wholeScan,
  writtenForms,
} from '../../src/domain/bar-code.ts'

const nothing = { isCopy: () => false, isBeneficiary: () => false }

describe('cleanScan', () => {
  it.each([
    [']C0BIB-000123', 'BIB-000123'],
    [']C1010345312000001\u001d17251231', '01034531200000117251231'],
    [']E09782070360024', '9782070360024'],
    [']F0A31117013206375B', '31117013206375'],
    [']F0A12B', '12'],
    // Signs of these five are never guards.
    [']A0A12345B', 'A12345B'],
    [']C0A12345B', 'A12345B'],
    [']I0A12345B', 'A12345B'],
    [']Q0A12345B', 'A12345B'],
    [']d1A12345B', 'A12345B'],
    // That of an EAN announces no Codabar, and rules none out.
    [']E0A12345B', '12345'],
    [']C0 BIB 1 ', 'BIB 1'],
    ['  BIB-000123\r\n', 'BIB-000123'],
    ['\ufeff\u0000B\u001fI\u007fB\u009f', 'BIB'],
    ['a ~\u00a0b', 'a ~\u00a0b'],
    ['A31117013206375B', '31117013206375'],
    ['c123456d', '123456'],
    ['B0$:/.+-9C', '0$:/.+-9'],
    ['A12345B', '12345'],
    // Too short for Codabar to be the only reading.
    ['A1234B', 'A1234B'],
    ['E12345A', 'E12345A'],
    ['A12345E', 'A12345E'],
    ['A12X45B', 'A12X45B'],
    ['XA12345B', 'XA12345B'],
    ['A12345BX', 'A12345BX'],
    ['abc DEF', 'abc DEF'],
    [']C0', ''],
    [']C', ']C'],
    [']C-1', ']C-1'],
    [']101', ']101'],
    ['1]C01', '1]C01'],
    ['', ''],
  ])('makes of %j, whose bars nobody names, %j', (text, code) => {
    expect(cleanScan(text)).toBe(code)
  })

  it.each([
    ['A12B', '12'],
    ['a12d', '12'],
    ['T12N', '12'],
    ['*12E', '12'],
    ['31117013206375', '31117013206375'],
    ['A12', 'A12'],
    ['12B', '12B'],
    ['XA12B', 'XA12B'],
    ['A12BX', 'A12BX'],
    ['AB', 'AB'],
  ])('makes of %j in Codabar %j', (text, code) => {
    expect(cleanScan(text, 'codabar')).toBe(code)
  })

  it('takes off no guards of other bars', () => {
    expect(cleanScan('A31117013206375B', 'code_128')).toBe('A31117013206375B')
  })

  it('believes who read the bars before what the scan announces', () => {
    expect(cleanScan(']F0A12B', 'code_128')).toBe('A12B')
    expect(cleanScan(']C0A12B', 'codabar')).toBe('12')
  })

  it('makes a UPC-A the EAN-13 it is, once', () => {
    expect(cleanScan('071831007995', 'upc_a')).toBe('0071831007995')
    expect(cleanScan('0071831007995', 'upc_a')).toBe('0071831007995')
    expect(cleanScan('07183100799', 'upc_a')).toBe('07183100799')
    expect(cleanScan('071831007995', 'ean_13')).toBe('071831007995')
    expect(cleanScan('071831007995')).toBe('071831007995')
  })
})

describe('wholeScan', () => {
  it('keeps what may be a guard, and cleans the rest', () => {
    expect(wholeScan(' A31117013206375B\r\n')).toBe('A31117013206375B')
    expect(wholeScan(']E0A31117013206375B')).toBe('A31117013206375B')
  })

  it('takes off the guards of what is known to be Codabar, and completes a UPC-A', () => {
    expect(wholeScan(']F0A12B')).toBe('12')
    expect(wholeScan('A12B', 'codabar')).toBe('12')
    expect(wholeScan('071831007995', 'upc_a')).toBe('0071831007995')
  })
})

describe('writtenForms', () => {
  it.each([
    ['071831007995', ['071831007995', '0071831007995']],
    ['071831007994', ['071831007994']],
    ['0071831007995', ['0071831007995', '071831007995']],
    ['0071831007994', ['0071831007994']],
    ['9782070360024', ['9782070360024']],
    ['31117013206375', ['31117013206375']],
    ['A30000000000015B', ['30000000000015', 'A30000000000015B']],
    [' BIB-1 ', ['BIB-1', 'bib-1', 'Bib-1']],
    ['aBc-1', ['aBc-1', 'AbC-1', 'ABC-1', 'abc-1', 'Abc-1']],
    ['WSP1', ['WSP1', 'wsp1', 'Wsp1']],
    ['Wsp1', ['Wsp1', 'wSP1', 'WSP1', 'wsp1']],
    [']C0BIB-1', ['BIB-1', ']C0BIB-1', 'bib-1', 'Bib-1']],
    [']C0', [']C0']],
    ['HQ&&é', ['HA112', 'HQ&&é', 'ha112', 'Ha112']],
    ['  ', []],
  ])('of %j are %j', (text, forms) => {
    expect(writtenForms(text)).toEqual(forms)
  })

  it('begin with what the bars say that they are', () => {
    expect(writtenForms('071831007995', 'upc_a')).toEqual(['0071831007995', '071831007995'])
    expect(writtenForms('A12B', 'codabar')).toEqual(['12', 'A12B'])
    expect(writtenForms('HQ&&é', 'qr_code')).not.toContain('HA112')
  })
})

describe('formsByCase', () => {
  it.each<[string, string[], string[]]>([
    ['Wsp1', ['Wsp1'], ['wSP1', 'WSP1', 'wsp1']],
    ['HQ&&é', ['HA112', 'HQ&&é'], ['ha112', 'Ha112']],
    ['1001', ['1001'], []],
    ['', [], []],
  ])('of %j are, as read, %j, else %j', (text, asRead, inOtherCase) => {
    expect(formsByCase(text)).toEqual([asRead, inOtherCase])
  })
})

describe('classifyBarCode', () => {
  const known = {
    isCopy: (code: string) => ['30000000000015', '071831007995', 'A00012B', 'BOTH'].includes(code),
    isBeneficiary: (code: string) => ['20000000000017', 'A20000017B', '00012', 'BOTH'].includes(code),
  }

  it.each([
    ['A30000000000015B', { kind: 'copy', code: '30000000000015' }],
    [']C020000000000017', { kind: 'beneficiary', code: '20000000000017' }],
    ['A20000017B', { kind: 'beneficiary', code: 'A20000017B' }],
    ['BOTH', { kind: 'copy', code: 'BOTH' }],
    ['0071831007995', { kind: 'copy', code: '071831007995' }],
    // Read without its guards it would be a card's: any form of a copy goes before.
    ['A00012B', { kind: 'copy', code: 'A00012B' }],
    ['9782070360024', { kind: 'isbn', code: '9782070360024' }],
    ['2070360024', { kind: 'isbn', code: '9782070360024' }],
    [']E09782070360024', { kind: 'isbn', code: '9782070360024' }],
    ['978207036002452500', { kind: 'isbn', code: '9782070360024' }],
    ['A99999B', { kind: 'unknown', code: '99999' }],
    ['  ', { kind: 'unknown', code: '' }],
  ])('says what %j is', (text, expected) => {
    expect(classifyBarCode(text, known)).toEqual(expected)
  })

  it('takes the cleaned form before the one that was scanned', () => {
    expect(classifyBarCode('A12345B', { ...nothing, isCopy: () => true }).code).toBe('12345')
    expect(classifyBarCode('A12345B', { ...nothing, isBeneficiary: () => true }).code).toBe('12345')
  })

  it('heeds what the bars are said to be', () => {
    const knows = { ...nothing, isBeneficiary: (code: string) => code === '12' }
    expect(classifyBarCode('A12B', knows, 'codabar')).toEqual({ kind: 'beneficiary', code: '12' })
    expect(classifyBarCode('A12B', knows)).toEqual({ kind: 'unknown', code: 'A12B' })
  })

  it('finds a copy kept as 13 digits from the 12 of a UPC-A', () => {
    const knows = { ...nothing, isCopy: (code: string) => code === '0071831007995' }
    expect(classifyBarCode('071831007995', knows)).toEqual({ kind: 'copy', code: '0071831007995' })
  })

  it('lets what the caller knows win over an ISBN', () => {
    const isIt = (code: string) => code === '9782070360024'
    expect(classifyBarCode('9782070360024', { ...nothing, isCopy: isIt }).kind).toBe('copy')
    expect(classifyBarCode('9782070360024', { ...nothing, isBeneficiary: isIt }).kind).toBe('beneficiary')
  })
})

describe('findIsbn13', () => {
  it.each([
    ['2070360024', '9782070360024'],
    ['2-07-036002-4', '9782070360024'],
    ['0306406152', '9780306406157'],
    ['0198534531', '9780198534532'],
    ['080442957X', '9780804429573'],
    ['080442957x', '9780804429573'],
    ['2070410048', '9782070410040'],
    ['978-2-07-036002-4', '9782070360024'],
    [' 978 2070 360024 ', '9782070360024'],
    ['9791032305560', '9791032305560'],
    ['2070360025', null],
    ['2070360034', null],
    ['X804429570', null],
    ['207036002', null],
    ['20703600241', null],
    ['12070360024', null],
    ['9782070360025', null],
    // A second bar code of five digits beside it, of a price.
    ['978207036002452500', '9782070360024'],
    ['978207036002552500', null],
    ['97820703600245250', null],
    ['978207036002', null],
    ['97820703600241', null],
    ['19782070360024', null],
    // EANs, right as such.
    ['4006381333931', null],
    ['3978000000009', null],
    ['3760000000000', null],
    ['', null],
  ])('makes of %j %j', (text, isbn) => {
    expect(findIsbn13(text)).toBe(isbn)
  })
})

describe('hasEanCheckDigit', () => {
  it.each(['4006381333931', '5901234123457', '0071831007995', '9782070410040', '0000000000000'])(
    'knows %s, and none that differs in one digit',
    (digits) => {
      expect(hasEanCheckDigit(digits)).toBe(true)
      for (let at = 0; at < 13; at += 1) {
        const other = (Number(digits[at]) + 1) % 10
        expect(hasEanCheckDigit(digits.slice(0, at) + other + digits.slice(at + 1))).toBe(false)
      }
    },
  )

  it.each(['', '071831007995', '40063813339310', '04006381333931', '400638133393X'])(
    'refuses %j, which is not 13 digits',
    (digits) => expect(hasEanCheckDigit(digits)).toBe(false),
  )
})

describe('isLibraryNumber', () => {
  it.each([
    // Read from the photographs codabar-1/12 and 14 of zxing's tests.
    '31117013206375',
    '00000000000000',
    // Every second digit counts twice, from the first, and of two figures their sum: 8 + 2, 1 + 9, 9 + 1.
    '40000000000002',
    '50000000000009',
    '90000000000001',
    // The others count once: 4 + 6, 9 + 1.
    '04000000000006',
    '09000000000001',
  ])('knows %s, and none whose last digit differs', (code) => {
    const last = Number(code.at(-1))
    for (let digit = 0; digit < 10; digit += 1) {
      expect(isLibraryNumber(code.slice(0, 13) + digit)).toBe(digit === last)
    }
  })

  it.each(['', '3111701320637', '311170132063750', '031117013206375', '3111701320637X'])(
    'refuses %j, which is not 14 digits',
    (code) => expect(isLibraryNumber(code)).toBe(false),
  )
})
