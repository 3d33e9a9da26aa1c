import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { centsOf, frenchMoney, moneyOf, sumOfMoney, timesMoney } from '../../src/domain/money.ts'

describe('centsOf', () => {
  it.each([
    ['0.00', 0],
    ['0.05', 5],
    ['0.50', 50],
    ['1.00', 100],
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['12.509', 1250],
    ['', 0],
  ])('of %j', (amount, cents) => {
    expect(centsOf(amount)).toBe(cents)
  })
})

describe('moneyOf', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [99, '0.99'],
    [100, '1.00'],
    [101, '1.01'],
    [1250, '12.50'],
  ])('of %i cents', (cents, amount) => {
    expect(moneyOf(cents)).toBe(amount)
  })

  it('is what centsOf reads again', () => {
    fc.assert(fc.property(fc.nat(), (cents) => centsOf(moneyOf(cents)) === cents))
  })
})

describe('timesMoney', () => {
  it.each([
    ['0.10', 3, '0.30'],
    ['12.50', 1, '12.50'],
    ['12.50', 0, '0.00'],
    ['0.35', 100, '35.00'],
  ])('of %s, %i times', (amount, count, product) => {
    expect(timesMoney(amount, count)).toBe(product)
  })
})

describe('sumOfMoney', () => {
  it.each([
    [[], '0.00'],
    [['12.50'], '12.50'],
    [['0.10', '0.20'], '0.30'],
    [['0.99', '0.01', '2.00'], '3.00'],
  ])('of %j', (amounts, sum) => {
    expect(sumOfMoney(amounts)).toBe(sum)
  })
})

describe('frenchMoney', () => {
  it('writes prices with a comma, spaces between thousands and the euro, and zero for nothing', () => {
    const words = (amount: string) => frenchMoney(amount).replaceAll(/\s/g, ' ')
    expect(words('12.50')).toBe('12,50 €')
    expect(words('1234567.80')).toBe('1 234 567,80 €')
    expect(words('0.00')).toBe('0,00 €')
    expect(words('')).toBe('0,00 €')
  })
})
