import { expect, it } from 'vitest'

import { frenchMoney } from '../../src/domain/money.ts'

const words = (amount: string) => frenchMoney(amount).replaceAll(/\s/g, ' ')

it('writes prices with a comma, spaces between thousands and the euro, and zero for nothing', () => {
  expect(words('12.50')).toBe('12,50 €')
  expect(words('1234567.80')).toBe('1 234 567,80 €')
  expect(words('0.00')).toBe('0,00 €')
  expect(words('')).toBe('0,00 €')
})
