/** An amount of money on the wire and in the code: a decimal string with two digits, `"12.50"`, never negative. */
export type Money = string

/** Whole cents of an amount; the only form in which amounts are added or multiplied. */
export function centsOf(amount: Money): number {
  const [euros = '0', cents = ''] = amount.split('.')
  return Number(euros) * 100 + Number(cents.padEnd(2, '0').slice(0, 2))
}

export const moneyOf = (cents: number): Money =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

export const timesMoney = (amount: Money, count: number): Money => moneyOf(centsOf(amount) * count)

export const sumOfMoney = (amounts: readonly Money[]): Money =>
  moneyOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))

/** `"1234.5"` as people read it: `1 234,50 €` (narrow no-break space between thousands, no-break before €). */
export function frenchMoney(amount: Money): string {
  return new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' }).format(centsOf(amount) / 100)
}
