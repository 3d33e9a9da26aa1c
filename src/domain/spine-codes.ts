/** What a spine label has beside its shelf mark. */
export const spineCodes = ['data_matrix', 'code_128', 'none'] as const
export type SpineCode = (typeof spineCodes)[number]

/** Of a Data Matrix without its white margin, in millimetres. */
export const spineSides = [8, 9, 10, 12] as const
export type SpineSide = (typeof spineSides)[number]
export const usualSide: SpineSide = 9

/** `side` is that of a Data Matrix, and means nothing else. */
export type SpineWishes = { code: SpineCode; side: SpineSide }
