import type { LabelSymbology } from './label-symbologies.ts'
import { canWrite, symbologyNames, writableSigns } from './symbology-signs.ts'

/** As the settings write it: the zeros before `firstValue` say how wide its numbers are. */
export type BarCodesConfiguration = { siteCode: string; firstValue: string; symbology: LabelSymbology }

/** The parameter `barCodesSiteCodePosition`. */
export type SiteCodePosition = 'START' | 'END'

/** What stands around the number, and how many digits it has at least. */
export const barCodeParts = (
  { siteCode, firstValue }: Pick<BarCodesConfiguration, 'siteCode' | 'firstValue'>,
  position: SiteCodePosition,
): { before: string; after: string; width: number; first: number } => ({
  before: position === 'START' ? siteCode : '',
  after: position === 'START' ? '' : siteCode,
  width: firstValue.length,
  first: Number(firstValue),
})

/** A number of an EAN-13 site is 12 digits, to which its key is added; null where the numbering does so. */
export const numberingFault = ({ siteCode, firstValue, symbology }: BarCodesConfiguration): string | null => {
  if (symbology === 'EAN13') {
    return /^\d{12}$/.test(siteCode + firstValue)
      ? null
      : 'En EAN-13, le code du site et le premier numéro font ensemble 12 chiffres\u202f; la clé s’y ajoute.'
  }
  return canWrite(symbology, siteCode + firstValue)
    ? null
    : `Le code du site ne peut pas s’écrire en ${symbologyNames[symbology]}, qui n’écrit que ${writableSigns[symbology]}.`
}
