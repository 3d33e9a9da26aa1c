/** What a site's labels are written in (`bar_codes_configuration.symbology`). */
export const labelSymbologies = ['CODE128', 'CODE39', 'CODABAR', 'EAN13'] as const
export type LabelSymbology = (typeof labelSymbologies)[number]

export const defaultSymbology: LabelSymbology = 'CODE128'
