import { undoAzerty } from './azerty.ts'

/** Named as the browser's BarcodeDetector names them. */
export const symbologies = [
  'code_128',
  'code_39',
  'codabar',
  'itf',
  'ean_13',
  'upc_a',
  'qr_code',
  'data_matrix',
] as const
export type Symbology = (typeof symbologies)[number]

type BarCodeKind = 'copy' | 'beneficiary' | 'isbn' | 'unknown'

/** Only the caller's data can tell a copy's code from a card's. */
interface KnownBarCodes {
  isCopy: (code: string) => boolean
  isBeneficiary: (code: string) => boolean
}

/** `code` is the form under which the code is known; for an ISBN, its 13 digits. */
interface ClassifiedBarCode {
  kind: BarCodeKind
  code: string
}

/** AIM identifiers (ISO/IEC 15424), which hardware scanners announce. */
const symbologyOfAim: Record<string, Symbology> = {
  A: 'code_39',
  C: 'code_128',
  d: 'data_matrix',
  F: 'codabar',
  I: 'itf',
  Q: 'qr_code',
}

// Codabar guards; at least five signs inside, so that a short shelf mark such as « A12B » stays whole.
const guardedCodabar = /^[A-D]([0-9$:/.+-]{5,})[A-D]$/i

/** Without AIM identifier, control signs, outer spaces and Codabar guards; a UPC-A becomes its EAN-13. */
export function cleanScan(text: string, symbology?: Symbology): string {
  const { code, kind } = bareScan(text, symbology)
  return kind === undefined ? code.replace(guardedCodabar, '$1') : code
}

/** Keeps what may be a guard or part of the label: only the caller's data can tell (`writtenForms`). */
export const wholeScan = (text: string, symbology?: Symbology): string => bareScan(text, symbology).code

function bareScan(text: string, symbology: Symbology | undefined) {
  // oxlint-disable-next-line no-control-regex -- control signs are what is looked for
  let code = text.replace(/[\u0000-\u001f\u007f-\u009f\ufeff]/g, '').trim()
  let kind = symbology
  const aim = /^\]([A-Za-z])[0-9A-Za-z]/.exec(code)
  if (aim) {
    code = code.slice(3).trim()
    kind ??= symbologyOfAim[aim[1] ?? '']
  }
  if (kind === 'codabar') code = code.replace(/^[A-DTNE*](.+)[A-DTNE*]$/i, '$1')
  if (kind === 'upc_a' && code.length === 12) code = `0${code}`
  return { code, kind }
}

/** A copy goes before a beneficiary, and an ISBN comes last. */
export function classifyBarCode(
  text: string,
  knows: KnownBarCodes,
  symbology?: Symbology,
): ClassifiedBarCode {
  const forms = writtenForms(text, symbology)
  const copy = forms.find((form) => knows.isCopy(form))
  if (copy !== undefined) return { kind: 'copy', code: copy }
  const beneficiary = forms.find((form) => knows.isBeneficiary(form))
  if (beneficiary !== undefined) return { kind: 'beneficiary', code: beneficiary }
  const code = forms[0] ?? ''
  const isbn = findIsbn13(code)
  return isbn === null ? { kind: 'unknown', code } : { kind: 'isbn', code: isbn }
}

/** The likeliest code, then the other ways in which its owner may have written it down: with a 0, its guards or in the other case. */
export const writtenForms = (text: string, symbology?: Symbology): string[] =>
  formsByCase(text, symbology).flat()

/** The same: those as it was read, and those in another case, which are sought where nobody knows the others. */
export function formsByCase(text: string, symbology?: Symbology): [asRead: string[], inOtherCase: string[]] {
  const undone = symbology === undefined ? undoAzerty(text) : null
  const readings = undone === null ? [text] : [undone, text]
  const asRead = readings.flatMap((reading) => formsOf(reading, symbology))
  const once = (forms: string[], known: string[]) =>
    [...new Set(forms)].filter((form) => form !== '' && !known.includes(form))
  return [once(asRead, []), once(otherCases(asRead[0] ?? ''), asRead)]
}

function formsOf(text: string, symbology: Symbology | undefined): string[] {
  const code = cleanScan(text, symbology)
  const forms = [code]
  if (hasEanCheckDigit(`0${code}`)) forms.push(`0${code}`)
  if (code.startsWith('0') && hasEanCheckDigit(code)) forms.push(code.slice(1))
  return [...forms, text.trim()]
}

/** Caps lock turns every letter; labels were written one way, or « Wsp1 », and scanned another. */
function otherCases(code: string): string[] {
  const turned = Array.from(code, (sign) =>
    sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase(),
  )
  const small = code.toLowerCase()
  const capital = small.replace(/\p{L}+/gu, ([first = '', ...rest]) => first.toUpperCase() + rest.join(''))
  return [turned.join(''), code.toUpperCase(), small, capital]
}

/** The likeliest code of a scan that becomes a new one. */
export const likelyCode = (text: string): string => writtenForms(text)[0] ?? ''

/** The ISBN on a cover, else what its code is likeliest to be. */
export function likelyTitleCode(text: string): string {
  const code = likelyCode(text)
  return findIsbn13(code) ?? code
}

/** Accepts ISBN-10 and ISBN-13 with hyphens and spaces, and an EAN-13 with the five digits that scanners add of a second bar code; null when it is none. */
export function findIsbn13(text: string): string | null {
  const signs = text.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  const ean = /^(97[89]\d{10})(?:\d{5})?$/.exec(signs)?.[1]
  if (ean !== undefined && hasEanCheckDigit(ean)) return ean
  if (!/^\d{9}[\dX]$/.test(signs)) return null
  const sum = Array.from(signs).reduce(
    (total, sign, at) => total + (10 - at) * (sign === 'X' ? 10 : Number(sign)),
    0,
  )
  if (sum % 11 !== 0) return null
  const body = `978${signs.slice(0, 9)}`
  return body + eanCheckDigit(body)
}

/** The digits of a code that has words, a price or another code behind it: « 978-2-07-036002-4 (br.) : 12 EUR ». */
export function bareCode(text: string): string {
  const written = text.trim().replace(/^(?:isbn|ean)(?:-1[03])?\s*:?\s*/i, '')
  const [code = written] = /^\d[\d\p{Zs}\p{Pd}]*X?(?![\p{L}\d])/iu.exec(written) ?? []
  return code.replace(/[\s\p{Pd}]/gu, '')
}

/** The ISBN that a text begins with, whatever stands behind it, as its 13 digits. */
export const isbnOf = (text: string): string | null => findIsbn13(bareCode(text))

/** The check digit of EAN-13 (GS1 General Specifications, 7.9). */
export function hasEanCheckDigit(digits: string): boolean {
  return /^\d{13}$/.test(digits) && digits.endsWith(eanCheckDigit(digits.slice(0, 12)))
}

function eanCheckDigit(body: string): string {
  const sum = Array.from(body).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Mod 10, as on libraries' Codabar labels; a first digit of 2 (reader) or 3 (copy) is only a custom. */
export function isLibraryNumber(code: string): boolean {
  if (!/^\d{14}$/.test(code)) return false
  const sum = Array.from(code).reduce((total, digit, at) => {
    const weighed = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
