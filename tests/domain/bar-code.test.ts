import { describe, expect, it } from 'vitest'
import {
  classifyBarCode,
  cleanScan,
  findIsbn13,
  hasEanCheckDigit,
  isLibraryNumber,
} from '../../src/domain/bar-code.ts'

const nothing = { isCopy: () => false, isBeneficiary: () => false }

describe('cleanScan', () => {
  it.each([
    [']C0BIB-000123', 'BIB-000123'],
    [']C1010345312000001\u001d17251231', '01034531200000117251231'],
    [']E09782070360024', '9782070360024'],
    [']F0A31117013206375B', '31117013206375'],
    ['  BIB-000123\r\n', 'BIB-000123'],
    ['A31117013206375B', '31117013206375'],
    ['c123456d', '123456'],
    // Too short for Codabar to be the only reading.
    ['A12B', 'A12B'],
    ['abc DEF', 'abc DEF'],
    [']C0', ''],
    ['', ''],
  ])('typed %j gives %j', (text, code) => {
    expect(cleanScan(text)).toBe(code)
  })

  it('takes off guards only where there are some', () => {
    expect(cleanScan('A12B', 'codabar')).toBe('12')
    expect(cleanScan('31117013206375', 'codabar')).toBe('31117013206375')
    expect(cleanScan('A31117013206375B', 'code_128')).toBe('A31117013206375B')
  })

  it('makes a UPC-A the EAN-13 it is, once', () => {
    expect(cleanScan('071831007995', 'upc_a')).toBe('0071831007995')
    expect(cleanScan('0071831007995', 'upc_a')).toBe('0071831007995')
    expect(cleanScan('071831007995')).toBe('071831007995')
  })
})

describe('classifyBarCode', () => {
  const known = {
    isCopy: (code: string) => ['30000000000015', '071831007995', 'A00012B', 'BOTH'].includes(code),
    isBeneficiary: (code: string) => ['20000000000017', 'BOTH'].includes(code),
  }

  it.each([
    ['A30000000000015B', { kind: 'copy', code: '30000000000015' }],
    [']C020000000000017', { kind: 'beneficiary', code: '20000000000017' }],
    ['BOTH', { kind: 'copy', code: 'BOTH' }],
    ['0071831007995', { kind: 'copy', code: '071831007995' }],
    ['A00012B', { kind: 'copy', code: 'A00012B' }],
    ['9782070360024', { kind: 'isbn', code: '9782070360024' }],
    ['2070360024', { kind: 'isbn', code: '9782070360024' }],
    ['A99999B', { kind: 'unknown', code: '99999' }],
    ['  ', { kind: 'unknown', code: '' }],
  ])('says what %j is', (text, expected) => {
    expect(classifyBarCode(text, known)).toEqual(expected)
  })

  it('finds a copy kept as 13 digits from the 12 of a UPC-A', () => {
    const knows = { ...nothing, isCopy: (code: string) => code === '0071831007995' }
    expect(classifyBarCode('071831007995', knows)).toEqual({ kind: 'copy', code: '0071831007995' })
  })

  it('lets what the caller knows win over an ISBN', () => {
    const knows = { ...nothing, isCopy: (code: string) => code === '9782070360024' }
    expect(classifyBarCode('9782070360024', knows).kind).toBe('copy')
  })
})

describe('check digits', () => {
  it.each([
    ['2070360024', '9782070360024'],
    ['2-07-036002-4', '9782070360024'],
    ['080442957X', '9780804429573'],
    ['978-2-07-036002-4', '9782070360024'],
    ['2070360025', null],
    ['9782070360025', null],
    ['3760000000000', null],
    ['', null],
  ])('ISBN %s is %s', (text, isbn) => {
    expect(findIsbn13(text)).toBe(isbn)
  })

  it('knows an EAN-13 by its last digit', () => {
    expect(hasEanCheckDigit('0071831007995')).toBe(true)
    expect(hasEanCheckDigit('0071831007994')).toBe(false)
    expect(hasEanCheckDigit('071831007995')).toBe(false)
  })

  it('knows a library number by its last digit', () => {
    // Read from the photographs codabar-1/12 and 14 of zxing's tests.
    expect(isLibraryNumber('31117013206375')).toBe(true)
    expect(isLibraryNumber('31117013206374')).toBe(false)
    expect(isLibraryNumber('3111701320637')).toBe(false)
  })
})
