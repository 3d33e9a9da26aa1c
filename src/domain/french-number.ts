const number = new Intl.NumberFormat('fr-FR')

/** « 1 234 », with French spaces. */
export const frenchNumber = (value: number): string => number.format(value)
