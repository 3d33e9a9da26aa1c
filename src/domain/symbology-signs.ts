import { hasEanCheckDigit } from './bar-code.ts'
import type { LabelSymbology } from './label-symbologies.ts'

export const symbologyNames: Record<LabelSymbology, string> = {
  CODE128: 'Code 128',
  CODE39: 'Code 39',
  CODABAR: 'Codabar',
  EAN13: 'EAN-13',
}

/** What each can write, as a sentence goes on: « n’écrit que … ». */
export const writableSigns: Record<LabelSymbology, string> = {
  CODE128: 'les lettres sans accent, les chiffres et les signes du clavier',
  CODE39:
    'les chiffres, les majuscules sans accent, l’espace, - et ., et $ / + % ailleurs que devant une lettre',
  CODABAR: 'les chiffres et les signes - $ : / . +',
  EAN13: '13 chiffres dont le dernier est la clé',
}

const writable: Record<LabelSymbology, (code: string) => boolean> = {
  CODE128: (code) => /^[\u0020-\u007e]+$/.test(code),
  // Scanners take such a sign and a letter for one other sign (« full ASCII »).
  CODE39: (code) => /^[0-9A-Z \-.$/+%]+$/.test(code) && !/[$/+%][A-Z]/.test(code),
  CODABAR: (code) => /^[0-9\-$:/.+]+$/.test(code),
  EAN13: (code) => ean13Of(code) !== null,
}

export const canWrite = (symbology: LabelSymbology, code: string): boolean => writable[symbology](code)

const inFrench = new Intl.ListFormat('fr', { type: 'conjunction' })
const mostNamed = 3

/** Why a code has no bars, as a sentence goes on; null where it has. */
export function whyNoBars(symbology: LabelSymbology, code: string): string | null {
  if (canWrite(symbology, code)) return null
  const name = symbologyNames[symbology]
  const strange = [...new Set(code)].filter((sign) => !canWrite(symbology, sign))
  // No digit alone is an EAN-13, and what Code 39 refuses may be two signs together.
  if (symbology === 'EAN13' || strange.length === 0 || strange.length > mostNamed)
    return `en ${name} ne s’écrivent que ${writableSigns[symbology]}`
  const named = strange.map((sign) => (sign === ' ' ? 'l’espace' : `«\u00a0${sign}\u00a0»`))
  return `${inFrench.format(named)} ${strange.length > 1 ? 'ne s’écrivent' : 'ne s’écrit'} pas en ${name}`
}

/** The 13 digits that are drawn; a UPC-A of 12 has a zero before it, which every scan takes away again. */
export function ean13Of(code: string): string | null {
  const digits = code.length === 12 ? `0${code}` : code
  return hasEanCheckDigit(digits) ? digits : null
}
