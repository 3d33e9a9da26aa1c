/** A decimal string with two digits, never negative: `"12.50"`. */
export type Money = string

export function centsOf(amount: Money): number {
  const [euros = '0', cents = ''] = amount.split('.')
  return Number(euros) * 100 + Number(cents.padEnd(2, '0').slice(0, 2))
}

export const moneyOf = (cents: number): Money =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

export const timesMoney = (amount: Money, count: number): Money => moneyOf(centsOf(amount) * count)

export const sumOfMoney = (amounts: readonly Money[]): Money =>
  moneyOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))

export function frenchMoney(amount: Money): string {
  return new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' }).format(centsOf(amount) / 100)
}
