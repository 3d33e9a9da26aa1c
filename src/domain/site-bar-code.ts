/** As the settings write it: the zeros before `firstValue` say how wide its numbers are. */
export type BarCodesConfiguration = { siteCode: string; firstValue: string }

/** The parameter `barCodesSiteCodePosition`. */
export type SiteCodePosition = 'START' | 'END'

/** What stands around the number, and how many digits it has at least. */
export const barCodeParts = (
  { siteCode, firstValue }: BarCodesConfiguration,
  position: SiteCodePosition,
): { before: string; after: string; width: number; first: number } => ({
  before: position === 'START' ? siteCode : '',
  after: position === 'START' ? '' : siteCode,
  width: firstValue.length,
  first: Number(firstValue),
})
